"""The settings of webhooks."""

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.platform import read_settings
from comanda_webhooks.settings import WebhookSettings, get_allowed_targets


@pytest.mark.parametrize("value", ['["10.0.0.0/99"]', '["home"]'])
def test_invalid_network_aborts_startup(monkeypatch, value):
    monkeypatch.setenv("COMANDA_WEBHOOKS_ALLOWED_NETWORKS", value)

    with pytest.raises(InvalidSettings, match="COMANDA_WEBHOOKS_ALLOWED_NETWORKS"):
        read_settings(WebhookSettings, "COMANDA_WEBHOOKS_")


def test_loopback_is_allowed_in_development_only(runtime, monkeypatch):
    assert [str(network) for network in get_allowed_targets().networks] == ["127.0.0.0/8", "::1/128"]

    monkeypatch.setattr(runtime.settings, "development", False)
    assert get_allowed_targets().networks == ()
