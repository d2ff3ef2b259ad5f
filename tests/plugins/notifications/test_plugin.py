"""Registration of the plugin and of transports."""

from types import ModuleType

import pytest
from comanda import hookimpl
from comanda.basics.startup_errors import DuplicateRegistration
from comanda.composition import registry
from comanda.contracts import Transport
from comanda.contracts.registry import Plugin


async def nothing(_message):
    return None


def make_plugin(name, *transports):
    module = ModuleType(f"comanda_{name}.plugin")
    module.register_transports = hookimpl(lambda: transports)
    return Plugin(name, f"comanda-{name}", "1.0", (module,))


def test_plugin_is_registered(runtime):
    mine = runtime.registry.contributions["notifications"]

    assert mine["transport"] == ("smtp", "sms_gateway", "push_gateway", "sms_outbox", "email_outbox", "push_outbox")
    assert mine["task"] == ("notifications_sms", "notifications_email", "notifications_push", "notifications_prune")
    assert mine["command"] == ("outbox", "messages")
    order = [one.name for one in runtime.registry.transports if one.name in mine["transport"]]
    assert order[:3] == ["push_gateway", "sms_gateway", "smtp"]


def test_transports_are_ordered_and_names_unique():
    late, early = Transport("late", "sms", nothing, priority=5), Transport("early", "sms", nothing, priority=-5)

    created = registry.gather([make_plugin("rose", late), make_plugin("tulip", early)])
    with pytest.raises(DuplicateRegistration, match="rose and tulip both declare the transport late"):
        registry.gather([make_plugin("rose", late), make_plugin("tulip", late)])

    assert created.transports == (early, late)
