"""The plugin as a whole: its tables, its declarations, and what its import costs."""

import subprocess
import sys

import pytest
from comanda.settings import read_settings
from comanda.startup_errors import InvalidSettings
from comanda_migrations.differences import differences
from comanda_webhooks.settings import WebhookSettings, allowed_targets


async def test_models_and_migrated_tables_agree(app, database_url, runtime):
    assert await differences(database_url, [one for one in runtime.registry.models if one.app == "webhooks"]) == []


def test_what_it_declares_is_registered(runtime, event_names):
    mine = runtime.registry.contributions["webhooks"]

    assert mine["event"] == ("ping", "webhook_endpoint.failing", "webhook_endpoint.disabled")
    assert mine["event handler"] == ("webhooks",)
    assert mine["command"] == ("listen",)
    assert set(mine["event"]) < set(event_names)


def test_every_event_of_ours_fits_its_own_sample(runtime):
    for name in runtime.registry.contributions["webhooks"]["event"]:
        event = runtime.registry.events[name]
        assert event.model_validate(event.sample).model_dump() == event.sample


def test_importing_it_brings_no_web_server():
    code = "import sys, comanda_webhooks.plugin; print('aiohttp.web' in sys.modules, 'rich.json' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("value", ['["10.0.0.0/99"]', '["home"]'])
def test_a_network_that_is_none_stops_the_start(monkeypatch, value):
    monkeypatch.setenv("COMANDA_WEBHOOKS_ALLOWED_NETWORKS", value)

    with pytest.raises(InvalidSettings, match="COMANDA_WEBHOOKS_ALLOWED_NETWORKS"):
        read_settings(WebhookSettings, "COMANDA_WEBHOOKS_")


def test_this_machine_is_a_target_in_development_only(runtime, monkeypatch):
    assert [str(network) for network in allowed_targets().networks] == ["127.0.0.0/8", "::1/128"]

    monkeypatch.setattr(runtime.settings, "development", False)
    assert allowed_targets().networks == ()
