"""Settings of the marketplace that stop the startup."""

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.platform import read_settings
from comanda_marketplace.settings import MarketplaceSettings


@pytest.mark.parametrize(
    ("name", "value"), [("DEVELOPER_SHARE_PERCENT", "101"), ("DEVELOPER_SHARE_PERCENT", "-1"), ("MAX_APPS", "0")]
)
def test_invalid_setting_stops_the_startup(monkeypatch, name, value):
    monkeypatch.setenv(f"COMANDA_MARKETPLACE_{name}", value)

    with pytest.raises(InvalidSettings, match=name):
        read_settings(MarketplaceSettings, "COMANDA_MARKETPLACE_")


def test_share_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("COMANDA_MARKETPLACE_DEVELOPER_SHARE_PERCENT", "70")

    assert read_settings(MarketplaceSettings, "COMANDA_MARKETPLACE_").developer_share_percent == 70
