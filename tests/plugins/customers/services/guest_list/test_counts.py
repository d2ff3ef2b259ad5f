"""Counts of guests by what they have spent."""

import asyncio
import random

import asyncpg
import pytest
from comanda.platform.db import sql
from comanda_customers.services.guest_list import counts as guest_counts
from comanda_customers.services.guest_list import guests
from comanda_customers.services.guest_list.segments import VIP_THRESHOLD

MAX = 2**63 - 1
ADD_GUEST = """
    INSERT INTO customers_guest (owner_id, store_id, identity, orders, visits, total_spent_minor, first_visit_on,
        last_visit_on, first_seen_at, last_seen_at)
    VALUES ($1, $2, $3, $4, 0, $5, '2026-01-01', '2026-01-01', '2026-01-01',
        '2026-01-01'::timestamptz + $6 * interval '1 minute')
"""
SELECT_BAR = f"WITH {VIP_THRESHOLD} SELECT vip_minor FROM bar"


@pytest.fixture
def add_guests(owner, store):
    async def add(totals, *, orders=1, prefix="guest"):
        for number, total in enumerate(totals):
            await sql.execute(ADD_GUEST, owner.id, store.id, f"{prefix}:{number}", orders, total, number % 60)

    return add


@pytest.fixture
def count(owner, store):
    async def read():
        return int(await sql.fetch_value(guests.COUNT_ALL_GUESTS, store.id, owner.id))

    return read


@pytest.fixture
def get_bar(owner, store):
    async def read():
        return await sql.fetch_value(SELECT_BAR, store.id, owner.id)

    return read


@pytest.mark.usefixtures("app")
async def test_ranges_follow_each_other():
    amounts = [*range(300), *(2**bits + more for bits in range(9, 63) for more in (-1, 0, 1, 7**bits % 2**bits)), MAX]
    rows = await sql.fetch(
        """SELECT minor, customers_spending_range(minor) AS range,
               customers_spending_limit(customers_spending_range(minor)) AS last,
               customers_spending_limit(customers_spending_range(minor) - 1) AS before
           FROM unnest($1::bigint[]) AS minor ORDER BY minor""",
        amounts,
    )

    assert [row["range"] for row in rows] == sorted(row["range"] for row in rows)
    assert [row for row in rows if not row["before"] < row["minor"] <= row["last"]] == []
    assert len({row["range"] for row in rows if row["minor"] < 32}) == 32


@pytest.mark.parametrize("number", [1, 9, 10, 11, 57, 200])
async def test_threshold_is_that_of_all_totals(add_guests, get_bar, number):
    random.seed(number)
    totals = [int(random.lognormvariate(8, 2)) for _ in range(number)]
    await add_guests(totals)
    await add_guests([MAX], orders=0, prefix="cancelled")

    expected = sorted(totals, reverse=True)[max(1, -(-number // 10)) - 1]
    assert await get_bar() == expected
    await guest_counts.sum_up_counts()
    assert await get_bar() == expected


async def test_threshold_of_no_guests_is_none(get_bar, add_guests, count):
    assert await get_bar() is None
    await add_guests([MAX], orders=0)
    assert (await get_bar(), await count()) == (None, 0)


async def test_counts_follow_changes(add_guests, owner, store, count, get_bar):
    await add_guests([100, 200, MAX])
    assert (await count(), await get_bar()) == (3, MAX)

    where = f"WHERE owner_id = {owner.id} AND store_id = {store.id}"
    await sql.execute(f"UPDATE customers_guest SET total_spent_minor = 150 {where} AND total_spent_minor = {MAX}")
    assert (await count(), await get_bar()) == (3, 200)
    await sql.execute(f"UPDATE customers_guest SET orders = 0 {where} AND total_spent_minor = 200")
    assert (await count(), await get_bar()) == (2, 150)
    await sql.execute(f"DELETE FROM customers_guest {where} AND total_spent_minor = 150")
    assert (await count(), await get_bar()) == (1, 100)
    await guest_counts.sum_up_counts()
    rows = await sql.fetch(f"SELECT guests, is_total FROM customers_guest_count {where}")
    assert [tuple(row) for row in rows] == [(1, True)]


async def test_guests_are_counted_while_counts_are_summed_up(owner, store, count, settings):
    async def come(prefix):
        connection = await asyncpg.connect(settings.database_url.replace("asyncpg://", "postgresql://", 1))
        try:
            for number in range(40):
                await connection.execute(ADD_GUEST, owner.id, store.id, f"{prefix}:{number}", 1, number * 50, number)
        finally:
            await connection.close()

    async def sum_up():
        for _ in range(20):
            await guest_counts.sum_up_counts()

    await asyncio.gather(come("a"), come("b"), come("c"), sum_up(), sum_up())

    assert await count() == 120
    await guest_counts.sum_up_counts()
    assert await count() == 120


async def test_pages_from_either_end_continue_each_other(add_guests, store):
    # Guests who were last seen at one moment are ordered by id.
    await add_guests(range(130))
    await guest_counts.sum_up_counts()

    pages = [await store.get(f"/guests?page={page}&per_page=20") for page in range(1, 9)]

    assert [(page["total"], page["last_page"]) for page in pages] == [(130, 7)] * 8
    listed = [guest["id"] for page in pages for guest in page["data"]]
    found = await sql.fetch(
        "SELECT id FROM customers_guest WHERE store_id = $1 ORDER BY last_seen_at DESC, id DESC", store.id
    )
    assert listed == [row["id"] for row in found]
    assert [len(page["data"]) for page in pages] == [20] * 6 + [10, 0]
