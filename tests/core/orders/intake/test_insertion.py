"""Order numbers: from 1 without gaps for each store and business date."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing.stores import TestStore, line


def at(text):
    return datetime.fromisoformat(text).astimezone(UTC)


async def place(store, soup):
    order = await store.order(line(soup))
    return order["business_date"], order["number"]


@pytest.mark.parametrize(
    ("zone", "day_start", "moments"),
    [
        (
            "UTC",
            "04:00",
            [
                ("2026-03-01T03:59:59+00:00", "2026-02-28", 1),
                ("2026-03-01T04:00:00+00:00", "2026-03-01", 1),
                ("2026-03-02T03:59:59+00:00", "2026-03-01", 2),
                ("2026-03-02T04:00:00+00:00", "2026-03-02", 1),
            ],
        ),
        (
            "Pacific/Auckland",  # a day ahead of UTC in the evening
            "00:00",
            [
                ("2026-07-01T11:59:59+00:00", "2026-07-01", 1),
                ("2026-07-01T12:00:00+00:00", "2026-07-02", 1),
            ],
        ),
        (
            "America/Los_Angeles",
            "06:30",
            [
                ("2026-01-10T14:29:59+00:00", "2026-01-09", 1),
                ("2026-01-10T14:30:00+00:00", "2026-01-10", 1),
                ("2026-01-11T14:00:00+00:00", "2026-01-10", 2),
            ],
        ),
        (
            "Europe/Lisbon",  # 29 March 2026: 01:00 becomes 02:00
            "04:00",
            [
                ("2026-03-29T00:59:59+00:00", "2026-03-28", 1),
                ("2026-03-29T01:00:00+00:00", "2026-03-28", 2),
                ("2026-03-29T02:59:59+00:00", "2026-03-28", 3),
                ("2026-03-29T03:00:00+00:00", "2026-03-29", 1),
                ("2026-03-30T02:59:59+00:00", "2026-03-29", 2),
                ("2026-03-30T03:00:00+00:00", "2026-03-30", 1),
            ],
        ),
        (
            "Europe/Berlin",  # 25 October 2026: 03:00 becomes 02:00, and half past two comes twice
            "02:30",
            [
                ("2026-10-25T00:29:59+00:00", "2026-10-24", 1),
                ("2026-10-25T00:30:00+00:00", "2026-10-25", 1),
                ("2026-10-25T01:45:00+00:00", "2026-10-25", 2),
                ("2026-10-26T01:30:00+00:00", "2026-10-26", 1),
            ],
        ),
    ],
)
async def test_business_date_changes_at_the_stores_day_start(store, clock, zone, day_start, moments):
    soup = await store.item()
    await store.send("PUT", "/settings", {"timezone": zone, "day_start": day_start})

    given = []
    for moment, _, _ in moments:
        clock.set(at(moment))
        given.append((moment, *await place(store, soup)))

    assert given == moments


async def test_repeated_hour_does_not_restart_numbers(store, clock):
    soup = await store.item()
    await store.send("PUT", "/settings", {"timezone": "Europe/Berlin", "day_start": "02:30"})

    given = []
    # 02:45 summer time, then 02:15 and 02:45 winter time: the middle one is before the day's start on the wall.
    for moment in ("2026-10-25T00:45:00+00:00", "2026-10-25T01:15:00+00:00", "2026-10-25T01:45:00+00:00"):
        clock.set(at(moment))
        given.append(await place(store, soup))

    assert given == [("2026-10-25", 1), ("2026-10-25", 2), ("2026-10-25", 3)]


async def test_order_delayed_over_day_start_gets_unique_number(store, clock):
    soup = await store.item()
    given = []
    for moment in ("2026-03-01T23:00:00+00:00", "2026-03-02T04:00:00+00:00", "2026-03-02T03:59:59+00:00"):
        clock.set(at(moment))
        given.append(await place(store, soup))
    clock.set(at("2026-03-02T04:00:01+00:00"))
    given.append(await place(store, soup))

    assert given == [("2026-03-01", 1), ("2026-03-02", 1), ("2026-03-02", 2), ("2026-03-02", 3)]


async def test_changing_time_zone_does_not_restart_numbers(store, clock):
    soup = await store.item()
    await store.send("PUT", "/settings", {"timezone": "Pacific/Auckland"})
    clock.set(at("2026-07-01T20:00:00+00:00"))
    first = await place(store, soup)
    await store.send("PUT", "/settings", {"timezone": "America/Los_Angeles"})
    second = await place(store, soup)

    assert (first, second) == (("2026-07-02", 1), ("2026-07-02", 2))


async def test_numbers_are_counted_per_store(store, owner, client):
    sister = TestStore(client, owner, await owner.store())
    soup, broth = await store.item(), await sister.item()

    orders = [await each.order(line(item)) for _ in range(2) for each, item in ((store, soup), (sister, broth))]

    assert [order["number"] for order in orders] == [1, 1, 2, 2]
    assert len({order["id"] for order in orders}) == 4


async def test_a_refused_order_uses_up_no_number(store):
    soup = await store.item()
    await store.place(line(soup), key="one")
    await store.place(line(soup), type="delivery")
    await store.place(line(soup), key="one")

    assert (await store.order(line(soup)))["number"] == 2
