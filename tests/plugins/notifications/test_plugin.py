"""The plugin as a whole: what it declares, what it tells owners, and what its import costs."""

import re
import subprocess
import sys
from types import ModuleType

import pytest
from comanda import hookimpl, registry
from comanda.contracts.messaging import Transport
from comanda.contracts.registry import Plugin
from comanda.db import sql
from comanda.events.outbox import publish
from comanda.startup_errors import DuplicateRegistration
from comanda_notifications import settings
from comanda_notifications.plugin import register_docs
from comanda_notifications.settings import NotificationSettings
from comanda_webhooks.events import EndpointDisabled, EndpointFailing


@pytest.fixture
def mails(owner):
    async def read():
        return await sql.fetch("SELECT * FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id)

    return read


async def test_owners_are_told_of_webhook_endpoints_in_trouble(owner, dispatch, mails):
    url = "https://hooks.example.com/in"
    await publish(EndpointFailing(endpoint_id=12, url=url, failure_count=14), owner_id=owner.id)
    await publish(EndpointDisabled(endpoint_id=12, url=url, reason="gone"), owner_id=owner.id)
    await publish(EndpointDisabled(endpoint_id=13, url=url, reason="failing"), owner_id=owner.id)

    await dispatch()

    failing, gone, failed = await mails()
    assert {row["address"] for row in (failing, gone, failed)} == {owner.email}
    assert failing["purpose"] == "webhook_endpoint.failing"
    assert f"your webhook endpoint 12 ({url}) has failed 14 times in a row." in failing["text"]
    assert "it answered 410" in gone["text"]
    assert "it has failed for too long." in failed["text"]
    assert "$" not in failing["text"] + gone["text"] + failed["text"]


async def test_an_event_that_is_told_twice_brings_one_mail(owner, dispatch, mails):
    await publish(EndpointDisabled(endpoint_id=1, url="https://a.example/", reason="gone"), owner_id=owner.id)
    await dispatch()
    await sql.execute(
        "UPDATE core_outbox SET done_at = NULL, handled = '{}', due_at = now() WHERE owner_id = $1", owner.id
    )

    await dispatch()

    assert len(await mails()) == 1


async def test_more_mails_than_an_owner_may_have_hold_up_no_event(owner, dispatch, mails, monkeypatch):
    monkeypatch.setattr(settings.current(), "max_per_address_per_hour", 1)
    for id in (1, 2):
        await publish(EndpointDisabled(endpoint_id=id, url="https://a.example/", reason="gone"), owner_id=owner.id)

    await dispatch()

    assert len(await mails()) == 1
    waiting = "SELECT count(*) FROM core_outbox WHERE owner_id = $1 AND done_at IS NULL"
    assert await sql.fetch_value(waiting, owner.id) == 0


def test_what_it_declares_is_registered(runtime):
    mine = runtime.registry.contributions["notifications"]

    assert mine["transport"] == ("smtp", "sms_gateway", "push_gateway", "sms_outbox", "email_outbox", "push_outbox")
    assert mine["task"] == ("notifications_sms", "notifications_email", "notifications_push", "notifications_prune")
    assert mine["command"] == ("outbox",)
    order = [one.name for one in runtime.registry.transports if one.name in mine["transport"]]
    assert order[:3] == ["push_gateway", "sms_gateway", "smtp"]


async def nothing(_message):
    return None


def a_plugin(name, *transports):
    module = ModuleType(f"comanda_{name}.plugin")
    module.register_transports = hookimpl(lambda: transports)
    return Plugin(name, f"comanda-{name}", "1.0", module)


def test_transports_come_by_priority_and_two_of_one_name_stop_the_start():
    late, early = Transport("late", "sms", nothing, priority=5), Transport("early", "sms", nothing, priority=-5)

    made = registry.gather([a_plugin("rose", late), a_plugin("tulip", early)])
    with pytest.raises(DuplicateRegistration, match="rose and tulip both declare the transport late"):
        registry.gather([a_plugin("rose", late), a_plugin("tulip", late)])

    assert made.transports == (early, late)


def test_importing_it_brings_no_mail_client():
    code = "import sys, comanda_notifications.plugin; print('aiosmtplib' in sys.modules, 'aiohttp.web' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


def test_the_chapter_lists_every_setting_with_its_default():
    [chapter] = register_docs()
    listed = dict(re.findall(r"^\| `COMANDA_NOTIFICATIONS_(\w+)` \| ([^|]*?) \|", chapter.text, re.MULTILINE))

    fields = NotificationSettings.model_fields
    assert listed == {name.upper(): "" if one.default is None else str(one.default) for name, one in fields.items()}
