"""Settings of resellers that stop the startup."""

import json

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.platform import read_settings
from comanda_reseller.settings import ResellerSettings

PARTNER = {"key": "partner", "name": "Partner", "min_customers": 0, "discount_percent": 0}
SILVER = {"key": "silver", "name": "Silver", "min_customers": 10, "discount_percent": 10}


def read():
    return read_settings(ResellerSettings, "COMANDA_RESELLER_")


@pytest.mark.parametrize(
    ("tiers", "sentence"),
    [
        ([], "begins at 0 customers"),
        ([SILVER], "begins at 0 customers"),
        ([PARTNER, {**SILVER, "key": "partner"}], "two tiers with one key"),
        ([PARTNER, {**SILVER, "min_customers": 0}], "begin at one number"),
    ],
)
def test_invalid_tiers_stop_the_startup(monkeypatch, tiers, sentence):
    monkeypatch.setenv("COMANDA_RESELLER_TIERS", json.dumps(tiers))

    with pytest.raises(InvalidSettings, match=sentence):
        read()


def test_tiers_are_in_the_order_of_customers(monkeypatch):
    monkeypatch.setenv("COMANDA_RESELLER_TIERS", json.dumps([SILVER, PARTNER]))

    assert [tier.key for tier in read().tiers] == ["partner", "silver"]


def test_reminder_days_are_sorted_and_limited(monkeypatch):
    monkeypatch.setenv("COMANDA_RESELLER_REMINDER_DAYS", "[7, -3, 7]")
    assert read().reminder_days == [-3, 7]

    monkeypatch.setenv("COMANDA_RESELLER_REMINDER_DAYS", "[-61]")
    with pytest.raises(InvalidSettings, match="must be days from -60 to 365"):
        read()


def test_tax_is_in_parts_per_million(monkeypatch):
    monkeypatch.setenv("COMANDA_RESELLER_PLATFORM_TAX_PERCENT", "7.7")

    assert read().platform_tax_ppm == 77_000
