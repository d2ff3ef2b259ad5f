"""What an app costs, in words: of prices, periods, trials and units."""

from decimal import Decimal

import pytest
from comanda_marketplace.models import App, Billing
from comanda_marketplace.services.billing.price_terms import describe_terms, get_share
from comanda_marketplace.settings import get_settings
from comanda_oauth import api as oauth


def app(billing, price="0", currency="EUR", **fields):
    return App(billing=billing.value, price=Decimal(price), currency=currency, **fields)


def test_free_app_has_no_terms():
    assert describe_terms(app(Billing.FREE)) == ""


@pytest.mark.parametrize(
    ("trial_days", "sentence"),
    [
        (0, "9.00 EUR every 30 days, taken from your wallet."),
        (14, "Free for 14 days, then 9.00 EUR every 30 days, taken from your wallet."),
    ],
)
def test_recurring_app_names_its_period_and_trial(trial_days, sentence):
    priced = app(Billing.RECURRING, "9.000000", period_days=30, trial_days=trial_days)

    assert describe_terms(priced) == sentence


@pytest.mark.parametrize(
    ("price", "currency", "shown"),
    [("0.002500", "EUR", "0.0025 EUR"), ("0.1", "EUR", "0.10 EUR"), ("10", "JPY", "10 JPY")],
)
def test_price_per_unit_keeps_its_decimals(price, currency, shown):
    assert describe_terms(app(Billing.USAGE, price, currency)).startswith(f"{shown} for each unit")


async def test_consent_shows_developer_and_terms_of_today(developer):
    made = await developer.register(billing="recurring", price=9, trial_days=14)
    row = await App.get(id=made["id"], owner_id=developer.owner.id)
    before = await oauth.get_client(row.owner_id, row.client_row_id)

    await developer.send("PATCH", f"/developer/apps/{made['id']}", {"price": 12.5})

    after = await oauth.get_client(row.owner_id, row.client_row_id)
    assert before.terms == "Free for 14 days, then 9.00 EUR every 30 days, taken from your wallet."
    assert after.terms == "Free for 14 days, then 12.50 EUR every 30 days, taken from your wallet."
    assert after.publisher


@pytest.mark.parametrize(
    ("percent", "amount", "share"), [(80, 1000, 800), (80, 1, 1), (50, 1, 1), (0, 999, 0), (100, 7, 7)]
)
def test_share_is_rounded_half_up(app, monkeypatch, percent, amount, share):
    monkeypatch.setattr(get_settings(), "developer_share_percent", percent)

    assert get_share(amount) == share
