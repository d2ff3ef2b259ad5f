"""Prices, addresses and events of apps."""

from decimal import Decimal

import pytest
from comanda.basics import ValidationFailed
from comanda_marketplace.services.apps.app_fields import find_embed_fault, find_url_fault, to_origin, validate_fields

PAID = {"billing": "recurring", "price": Decimal("9.90")}


@pytest.mark.parametrize("url", ["https://app.example.com", "https://app.example.com:8443/a?b=c", "https://8.8.8.8/"])
def test_public_https_addresses_are_valid(app, url):
    assert find_url_fault(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://app.example.com",
        "javascript:alert(1)",
        "https://user@app.example.com",
        "https://intranet/",
        "https://printer.local/",
        "https://10.0.0.8/",
        "https://app.example.com:0/",
        "https://app.example.com:99999/",
        "https://app.example.com/a b",
        "https://app.example.com\\@evil.example",
    ],
)
def test_other_addresses_are_refused(app, url):
    assert find_url_fault(url) is not None


def test_page_of_this_installation_cannot_be_embedded(app, runtime, monkeypatch):
    monkeypatch.setattr(runtime.settings, "public_url", "https://orders.example.com")

    assert find_embed_fault("https://orders.example.com/app") == "Must be on another host than this installation."
    assert find_embed_fault("https://orders.example.com:443/app") is not None
    assert find_embed_fault("https://app.example.com/") is None


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://App.example.com:443/a?b", "https://app.example.com"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
    ],
)
def test_origins_are_those_that_browsers_compare(url, origin):
    assert to_origin(url) == origin


async def test_all_faults_are_reported_together(app):
    given = {**PAID, "price": Decimal(0), "embed_url": "http://a.example", "links": {"support": "ftp://a.example"}}

    with pytest.raises(ValidationFailed) as failed:
        await validate_fields(given, "EUR")

    assert sorted(failed.value.errors) == ["embed_url", "links.support", "price"]


@pytest.mark.parametrize(
    ("billing", "price", "is_valid"),
    [
        ("free", "0", True),
        ("free", "1", False),
        ("recurring", "9.90", True),
        ("recurring", "9.905", False),
        ("usage", "0.0005", True),
        ("usage", "0", False),
    ],
)
async def test_price_fits_the_billing(app, billing, price, is_valid):
    given = {"billing": billing, "price": Decimal(price)}
    if is_valid:
        assert await validate_fields(given, "EUR") == given
        return
    with pytest.raises(ValidationFailed) as failed:
        await validate_fields(given, "EUR")
    assert list(failed.value.errors) == ["price"]
