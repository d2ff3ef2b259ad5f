"""Erasure of personal data: matching rows, order fields and locks."""

import asyncio
import contextvars

import pytest
from comanda.contracts.erasure import Person
from comanda.devkit.testing.stores import line
from comanda.orders import erasure
from comanda.platform.db import sql

PHONE = "+351912345678"


@pytest.fixture
async def soup(store):
    await store.send("PUT", "/settings", {"country": "PT"})
    return await store.item("Soup", 5)


@pytest.fixture
def person(owner, store):
    def known(phones=(PHONE,), order_ids=(), owner_id=owner.id, store_id=store.id):
        return Person(owner_id, store_id, 0, frozenset(phones), frozenset(), frozenset(order_ids))

    return known


async def found(who):
    async with sql.transaction():
        return await erasure.lock_rows_of(who, "core_order", by=("customer_id", "phone"))


@pytest.mark.parametrize("spelled", [PHONE, "912 345 678", "00351 912-345-678", "(+351) 912.345.678", "912345678"])
async def test_rows_are_found_by_any_notation_of_a_phone(store, soup, person, spelled):
    theirs = await store.order(line(soup), phone=spelled)

    assert await found(person()) == [theirs["id"]]


@pytest.mark.parametrize("other", ["+34 912 345 678", "+351 212 345 678", "345678", "+351 912 345 6789", "no number"])
async def test_similar_phone_of_another_person_is_not_matched(store, soup, person, other):
    await store.order(line(soup), phone=other)
    await store.order(line(soup))

    assert await found(person()) == []


async def test_rows_of_other_stores_and_owners_are_ignored(store, soup, person, owner, other_owner):
    await store.order(line(soup), phone=PHONE)

    assert await found(person(owner_id=other_owner.id)) == []
    assert await found(person(store_id=await owner.store())) == []
    assert await found(person(phones=())) == []


async def test_fields_go_from_a_persons_orders_alone(store, soup, person, owner, other_owner):
    orders = [await store.order(line(soup)) for _ in range(3)]
    ids = [order["id"] for order in orders]
    await sql.execute(
        """UPDATE core_order SET attributes = CASE WHEN id = $2 THEN '{"door": "blue"}'::jsonb
               ELSE '{"door": "blue", "floor": 2}'::jsonb END WHERE owner_id = $1""",
        owner.id,
        ids[0],
    )

    await erasure.delete_order_fields(person(order_ids=ids[:2]), "door", "never")
    await erasure.delete_order_fields(person(order_ids=ids, owner_id=other_owner.id), "door")

    rows = await sql.fetch("SELECT attributes FROM core_order WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [row["attributes"] for row in rows] == [None, '{"floor": 2}', '{"door": "blue", "floor": 2}']


async def test_copies_wait_for_an_erasure_only(app):
    steps = []
    # A task that is begun in a transaction would run in it.
    before, again = contextvars.copy_context(), contextvars.copy_context()

    async def copy(name):
        async with sql.transaction():
            await erasure.lock_for_copying()
            steps.append(name)

    async with sql.transaction():
        await erasure.lock_for_erasure()
        waiting = asyncio.create_task(copy("after"), context=before)
        await asyncio.sleep(0.1)
        steps.append("erased")
    await waiting

    async with sql.transaction():
        await erasure.lock_for_copying()
        await asyncio.wait_for(asyncio.create_task(copy("beside"), context=again), 120)
    assert steps == ["erased", "after", "beside"]
