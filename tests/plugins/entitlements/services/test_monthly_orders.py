"""Counting orders of a month."""

import asyncio
from datetime import UTC, datetime

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_entitlements.services import monthly_orders

MIDDAY = datetime(2030, 1, 15, 12, tzinfo=UTC)


@pytest.fixture
async def soup(store, clock):
    clock.set(MIDDAY)
    return await store.item("Soup")


async def test_first_count_begins_with_stored_orders(owner, store, soup):
    ids = [(await store.order(line(soup)))["id"] for _ in range(3)]

    # The last one is the order that is being placed.
    assert await monthly_orders.count_order(owner.id, ids[-1], 10) == 3
    assert await monthly_orders.get_counted(owner.id) == 3


async def test_nothing_is_counted_beyond_the_limit(owner, store, soup):
    order = await store.order(line(soup))

    assert await monthly_orders.count_order(owner.id, order["id"], 0) is None
    assert await monthly_orders.get_counted(owner.id) == 0


async def test_concurrent_first_counts_add_up(owner):
    async def count():
        async with sql.transaction():
            return await monthly_orders.count_order(owner.id, 0, 6)

    counted = await asyncio.gather(*(count() for _ in range(10)))

    assert sorted(number for number in counted if number is not None) == [1, 2, 3, 4, 5, 6]


async def test_orders_are_counted_without_a_quota(owner, store, soup, clock):
    await store.order(line(soup))
    clock.set(datetime(2030, 2, 1, tzinfo=UTC))
    await store.order(line(soup))

    assert await monthly_orders.count_orders(owner.id) == 1
    assert await sql.fetch_value("SELECT count(*) FROM entitlements_monthly_orders WHERE owner_id = $1", owner.id) == 0


async def test_deleted_counts_are_taken_anew(owner, store, soup):
    order = await store.order(line(soup))
    await monthly_orders.count_order(owner.id, order["id"], 10)
    await store.order(line(soup))
    await monthly_orders.delete_counts(owner.id)

    assert await monthly_orders.count_orders(owner.id) == 2
