"""Settings of a store."""

import pytest
from comanda.devkit.testing.stores import TestStore
from comanda.platform.db import sql

DEFAULTS = {
    "currency": "EUR",
    "timezone": "UTC",
    "country": None,
    "phone": None,
    "address": None,
    "is_published": True,
    "is_listed": True,
    "hours": None,
    "day_start": "04:00",
    "tax_rate": 0,
    "is_tax_included": True,
    "mode_tax_rates": {},
    "service_charge_rate": 0,
    "service_charge_amount": 0,
    "service_charge_modes": [],
    "is_service_charge_taxed": False,
    "cash_rounding": 0,
    "logo_url": None,
    "cover_url": None,
}
HOURS = {
    "monday": [],
    "tuesday": [{"open": "09:00", "close": "17:30"}],
    "wednesday": [{"open": "09:00", "close": "12:00"}, {"open": "12:00", "close": "24:00"}],
    "thursday": [{"open": "18:00", "close": "02:00"}],
    "friday": [{"open": "00:00", "close": "00:00"}],
    "saturday": [],
    "sunday": [],
    "exceptions": [{"date": "2026-12-25", "is_closed": True, "intervals": [], "note": "Christmas"}],
}
WANTED = {
    "title": "Da Zoë",
    "timezone": "Europe/Lisbon",
    "country": "PT",
    "phone": "+351 21 000 0000",
    "address": "Rua 1\nLisboa",
    "is_published": False,
    "is_listed": False,
    "hours": HOURS,
    "day_start": "05:30",
    "tax_rate": 23,
    "is_tax_included": False,
    "mode_tax_rates": {"takeaway": 13.5, "on-table": 23},
    "service_charge_rate": 12.5,
    "service_charge_amount": 1.25,
    "service_charge_modes": ["on-table"],
    "is_service_charge_taxed": True,
    "cash_rounding": 0.05,
}


async def test_a_new_store_needs_no_settings(store):
    shown = (await store.get("/settings")).document

    assert shown.pop("title").startswith("Store ")
    assert shown == DEFAULTS


async def test_every_setting_can_be_changed_and_read_back(store):
    changed = await store.send("PUT", "/settings", WANTED)

    assert changed.status == 200
    assert changed.document == {**DEFAULTS, **WANTED}
    assert (await store.get("/settings")).document == changed.document
    assert (await store.get())["settings_summary"] == changed.document


async def test_omitted_and_null_settings_are_unchanged(store):
    await store.send("PUT", "/settings", WANTED)

    changed = await store.send("PUT", "/settings", {"tax_rate": 6, "title": None, "unknown": 1})

    assert changed.document == {**DEFAULTS, **WANTED, "tax_rate": 6}


async def test_an_empty_change_leaves_the_menus_version_alone(store):
    statement = "SELECT menu_version FROM core_store WHERE id = $1"
    before = await sql.fetch_value(statement, store.id)

    await store.send("PUT", "/settings", {})
    untouched = await sql.fetch_value(statement, store.id)
    await store.send("PUT", "/settings", {"tax_rate": 7})

    assert untouched == before
    assert await sql.fetch_value(statement, store.id) == before + 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 256}, "title"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": "../../etc/passwd"}, "timezone"),
        ({"country": "pt"}, "country"),
        ({"phone": "1" * 31}, "phone"),
        ({"day_start": "24:00"}, "day_start"),
        ({"day_start": "4:00"}, "day_start"),
        ({"tax_rate": 100.01}, "tax_rate"),
        ({"tax_rate": -1}, "tax_rate"),
        ({"tax_rate": 8.87501}, "tax_rate"),
        ({"tax_rate": 0.1 + 0.2}, "tax_rate"),
        ({"service_charge_rate": 1e-5}, "service_charge_rate"),
        ({"mode_tax_rates": {"takeaway": 8.87501}}, "mode_tax_rates.takeaway"),
        ({"tax_rate": True}, "tax_rate"),
        ({"mode_tax_rates": {"by-drone": 5}}, "mode_tax_rates"),
        ({"mode_tax_rates": {"takeaway": 101}}, "mode_tax_rates.takeaway"),
        ({"service_charge_modes": ["ship"]}, "service_charge_modes"),
        ({"service_charge_amount": 0.005}, "service_charge_amount"),
        ({"cash_rounding": -0.05}, "cash_rounding"),
        ({"is_listed": "perhaps"}, "is_listed"),
    ],
)
async def test_invalid_settings_are_refused(store, change, field):
    before = (await store.get("/settings")).document

    refused = await store.send("PUT", "/settings", {"address": "Elsewhere", **change})

    assert refused.errors.keys() == {field}
    assert (await store.get("/settings")).document == before


async def test_unpublished_store_has_no_public_menu(store):
    await store.item("Soup")
    await store.send("PUT", "/settings", {"is_published": False})
    hidden = await store.send_to(f"/api/v1/menu/{store.id}")
    await store.send("PUT", "/settings", {"is_published": True})

    assert hidden.status == 404
    assert await store.public_items() == ["Soup"]


async def test_another_owner_cannot_change_settings(store, client, other_owner):
    stranger = TestStore(client, other_owner, store.id)

    refused = await stranger.send("PUT", "/settings", {"title": "Mine now"})

    assert refused.status == 404
    assert (await store.get("/settings"))["title"] != "Mine now"
