"""The last day of sale, which ends at midnight in the store's time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts import Orderability
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_goods.item_capabilities import find_orderability


@pytest.mark.parametrize(
    ("zone", "last_day", "moment"),
    [
        ("UTC", "2026-11-30", datetime(2026, 12, 1, tzinfo=UTC)),
        ("Europe/Lisbon", "2026-07-31", datetime(2026, 7, 31, 23, tzinfo=UTC)),
        ("America/New_York", "2026-12-31", datetime(2027, 1, 1, 5, tzinfo=UTC)),
        ("Asia/Kolkata", "2028-02-28", datetime(2028, 2, 28, 18, 30, tzinfo=UTC)),
        # Clocks go from 00:00 to 01:00 there on that night, so that the day begins at one.
        ("Asia/Beirut", "2026-03-28", datetime(2026, 3, 28, 22, tzinfo=UTC)),
        ("Pacific/Kiritimati", "1900-01-01", datetime(1900, 1, 2, 10, 29, 20, tzinfo=UTC)),
        ("Etc/GMT+12", "2999-12-31", datetime(3000, 1, 1, 12, tzinfo=UTC)),
    ],
)
def test_last_day_ends_at_next_local_midnight(zone, last_day, moment):
    values, second = {"expires_on": last_day}, timedelta(seconds=1)

    assert find_orderability(values, ZoneInfo(zone), moment - second) == Orderability(True, moment)
    assert find_orderability(values, ZoneInfo(zone), moment) == Orderability(False)


@pytest.mark.parametrize("values", [{}, {"expires_on": None}, {"brand": "Amber"}])
def test_item_without_last_day_never_expires(values):
    assert find_orderability(values, ZoneInfo("UTC"), datetime(2026, 7, 30, tzinfo=UTC)) == Orderability(True)


async def test_item_leaves_menu_at_local_midnight(perfumery, clock, published):
    clock.set(datetime(2026, 7, 30, 12, tzinfo=UTC))
    cream = await perfumery.item("Cream", expires_on="2026-07-31")
    soap = await perfumery.item("Soap", expires_on="2026-08-01")
    before = await published(), await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", perfumery.id)

    clock.set(datetime(2026, 7, 31, 22, 59, 59, tzinfo=UTC))
    assert await perfumery.public_items() == ["Cream", "Soap"]
    assert (await perfumery.place(line(cream), type="in_store")).status == 201
    sold = await published()

    clock.set(datetime(2026, 7, 31, 23, 0, 0, tzinfo=UTC))
    assert await perfumery.public_items() == ["Soap"]
    refused = await perfumery.place(line(cream), line(soap), type="in_store")
    assert list(refused.errors) == ["items.0.item_id"]
    assert (await perfumery.get("/orders"))["total"] == 1

    clock.set(datetime(2026, 8, 1, 23, 0, 0, tzinfo=UTC))
    assert await perfumery.public_items() == []
    assert await published() == sold
    version = await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", perfumery.id)
    assert (sold[: len(before[0])], version) == before


async def test_later_day_or_none_restores_item(perfumery, clock):
    clock.set(datetime(2026, 7, 30, 12, tzinfo=UTC))
    cream = await perfumery.item("Cream", expires_on="2026-07-01")
    assert await perfumery.public_items() == []

    later = await perfumery.send("PUT", f"/menu/items/{cream['id']}", {"expires_on": "2026-07-30"})
    assert (later["expires_on"], await perfumery.public_items()) == ("2026-07-30", ["Cream"])
    clock.advance(days=1)
    assert await perfumery.public_items() == []
    never = await perfumery.send("PUT", f"/menu/items/{cream['id']}", {"expires_on": None})

    assert (never["expires_on"], await perfumery.public_items()) == (None, ["Cream"])
    assert (later["is_sold_now"], later["sold_now_changes_at"]) == (True, "2026-07-30T23:00:00+00:00")
    assert "is_sold_now" not in never.document


async def test_last_day_is_ignored_without_capability(shop, clock):
    clock.set(datetime(2026, 7, 30, 12, tzinfo=UTC))
    lamp = await shop.item("Lamp", expires_on="2020-01-01")

    assert "expires_on" not in lamp
    assert await shop.public_items() == ["Lamp"]
