"""Orders of one store that arrive at the same time are inserted together, and each as if it were alone."""

import asyncio
import dataclasses
from collections import Counter
from contextvars import Context
from datetime import timedelta

import asyncpg
import orjson
import pytest
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders.intake import insertion, insertion_queue
from comanda.orders.intake.insertion_queue import MenuChanged, insert_rows
from comanda.platform.db import sql
from comanda.platform.db.statistics import ANALYZE_TASK
from comanda.platform.tasks import notifier

ORDERS = 20


@pytest.fixture
async def rows(store, monkeypatch):
    """Return a function that returns the rows of a new order that has not been inserted, with other values."""
    soup = await store.item()
    captured = []

    async def capture(rows):
        captured.append(rows)
        return await insert_rows(rows)

    monkeypatch.setattr(insertion, "insert_rows", capture)
    await store.order(line(soup, 2), line(soup), note="No onions")
    names = insertion.ORDER_PARAMETERS + insertion.PLACEMENT_PARAMETERS

    def create(number, **values):
        known = dict(zip(names, captured[0].values, strict=True))
        known |= {"track_token": f"token-{number}", "track_hash": f"{number:032}".encode()} | values
        return dataclasses.replace(captured[0], values=tuple(known.values()), entry=None)

    return create


async def count_transactions(store):
    return await sql.fetch_value("SELECT count(DISTINCT xmin::text) FROM core_order WHERE store_id = $1", store.id)


async def get_tally(store):
    row = await sql.one("SELECT last_number, new FROM core_order_tally WHERE store_id = $1", store.id)
    return tuple(row)


async def insert_at_once(*orders):
    return await asyncio.gather(*map(insert_rows, orders), return_exceptions=True)


async def test_orders_at_the_same_time_share_transactions(store, published):
    soup, stew = await store.item("Soup", 5), await store.item("Stew", 7)
    before = len(await published())

    replies = await asyncio.gather(
        *(store.place(line(soup, number), line(stew), note=f"Note {number}") for number in range(1, ORDERS + 1))
    )

    assert {reply.status for reply in replies} == {201}
    assert await count_transactions(store) < ORDERS / 2
    orders = [reply.document for reply in replies]
    assert sorted(order["number"] for order in orders) == list(range(1, ORDERS + 1))
    assert [order["id"] for order in sorted(orders, key=lambda order: order["number"])] == sorted(
        order["id"] for order in orders
    )
    assert await get_tally(store) == (ORDERS, ORDERS)
    for number, order in enumerate(orders, start=1):
        assert (order["note"], order["items"][0]["quantity"]) == (f"Note {number}", number)
        assert (await store.get(f"/orders/{order['id']}")).document == order
    events = [data for name, data in (await published())[before:] if name == "order.created"]
    assert [(data["order_id"], data["number"]) for data in events] == sorted(
        (order["id"], order["number"]) for order in orders
    )
    audited = await sql.fetch(
        "SELECT after_ids FROM core_audit_entry WHERE store_id = $1 AND after_ids ? 'id' AND action LIKE '%rder%'",
        store.id,
    )
    assert {orjson.loads(row["after_ids"])["id"] for row in audited} == {order["id"] for order in orders}
    assert len(audited) == ORDERS


async def test_orders_of_one_turn_share_a_transaction(store, rows):
    early = asyncio.gather(*map(insert_rows, map(rows, range(3))))
    for _ in range(3):  # until their statement runs
        await asyncio.sleep(0)
    late = asyncio.gather(*map(insert_rows, map(rows, range(3, 9))))

    assert [each.number for each in [*await early, *await late]] == list(range(2, 11))
    # One order was there before.
    assert await count_transactions(store) == 3


async def test_together_and_alone_insert_the_same(rows):
    alone = await insert_rows(rows(0))

    together = await insert_at_once(*map(rows, range(1, 6)))

    columns = "to_jsonb(o) - '{id,number,track_token,track_hash}'::text[]"
    lines = "to_jsonb(l) - '{id,order_id}'::text[]"
    event = "to_jsonb(e) - '{id,due_at,data}'::text[]"
    stored = [
        [
            await sql.fetch_value(f"SELECT {columns} FROM core_order o WHERE id = $1", order.id),
            [row[0] for row in await sql.fetch(f"SELECT {lines} FROM core_order_line l WHERE order_id = $1", order.id)],
            await sql.fetch_value(f"SELECT {event} FROM core_outbox e WHERE data ->> 'order_id' = $1", str(order.id)),
            await sql.fetch_value(
                "SELECT data - 'order_id' - 'number' FROM core_outbox e WHERE data ->> 'order_id' = $1", str(order.id)
            ),
        ]
        for order in (alone, *together)
    ]
    assert stored[0][0] is not None
    assert len(stored[0][1]) == 2
    assert all(each == stored[0] for each in stored)
    assert [order.number for order in together] == list(range(alone.number + 1, alone.number + 6))


async def test_refused_order_does_not_touch_others(store, rows):
    orders = [rows(number) for number in range(ORDERS)]
    orders[7] = rows(7, type="x" * 31)
    orders[11] = rows(11, idempotency_key="used")
    orders[13] = rows(13, idempotency_key="used")

    inserted = await insert_at_once(*orders)

    failed = {number: each for number, each in enumerate(inserted) if isinstance(each, Exception)}
    assert {number: type(error) for number, error in failed.items()} == {
        7: asyncpg.StringDataRightTruncationError,
        13: asyncpg.UniqueViolationError,
    }
    # One order was there before.
    assert await get_tally(store) == (ORDERS - 1, ORDERS - 1)
    assert sorted(each.number for each in inserted if not isinstance(each, Exception)) == list(range(2, ORDERS))


async def test_cancelled_order_does_not_touch_others(store, rows):
    tasks = [asyncio.create_task(insert_rows(rows(number))) for number in range(ORDERS)]
    await asyncio.sleep(0)
    for task in (tasks[0], tasks[5]):
        task.cancel()

    inserted = await asyncio.gather(*tasks, return_exceptions=True)

    kinds = Counter(type(each) for each in inserted)
    assert kinds[asyncio.CancelledError] == 2
    assert isinstance(inserted[5], asyncio.CancelledError)
    last_number, new = await get_tally(store)
    # None of them had begun; one order was there before.
    assert last_number == new == ORDERS - 1
    assert insertion_queue._waiting == {}


async def test_lost_connection_fails_all_that_shared_it(store, rows, monkeypatch):
    calls = []
    genuine = insertion_queue._insert

    async def insert(orders):
        if len(orders) == 1:
            return await genuine(orders)
        calls.append(orders)
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    monkeypatch.setattr(insertion_queue, "_insert", insert)

    inserted = await insert_at_once(*map(rows, range(5)))

    # Nobody knows whether they were committed, so none is inserted again.
    assert [type(each) for each in inserted] == [asyncpg.ConnectionDoesNotExistError] * 5
    assert len(calls) == 1
    assert await get_tally(store) == (1, 1)


async def test_changed_menu_refuses_only_orders_of_its_version(store, rows):
    version = await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)
    versions = [version, version, version, version - 1, version - 1, None, None, version]

    inserted = await insert_at_once(
        *(dataclasses.replace(rows(number), menu_version=given) for number, given in enumerate(versions))
    )

    changed = [position for position, each in enumerate(inserted) if isinstance(each, MenuChanged)]
    assert changed == [3, 4]
    assert [each.number for each in inserted if not isinstance(each, Exception)] == [2, 3, 4, 5, 6, 7]


async def test_business_date_never_goes_back(store, rows):
    first = rows(0)
    tomorrow = first.business_date + timedelta(days=1)
    days = [first.business_date, first.business_date, tomorrow, tomorrow, tomorrow, first.business_date]

    inserted = await insert_at_once(
        *(dataclasses.replace(rows(number), business_date=day) for number, day in enumerate(days))
    )

    assert [(each.business_date, each.number) for each in inserted] == [
        (first.business_date, 2),
        (first.business_date, 3),
        (tomorrow, 1),
        (tomorrow, 2),
        (tomorrow, 3),
        (tomorrow, 4),
    ]


async def test_open_transaction_inserts_its_order_itself(store, rows):
    others = [asyncio.create_task(insert_rows(rows(number))) for number in range(3)]

    async def roll_back():
        async with sql.transaction():
            inserted.append(await insert_rows(rows(10)))
            raise LookupError

    inserted = []
    with pytest.raises(LookupError):
        await roll_back()
    await asyncio.gather(*others)

    assert await sql.fetch_value("SELECT count(*) FROM core_order WHERE id = $1", inserted[0].id) == 0
    assert await get_tally(store) == (4, 4)


async def test_stores_do_not_wait_for_each_other(client, owner, store, rows):
    other = TestStore(client, owner, await owner.store("restaurant"))
    soup = await other.item()
    async with sql.transaction():
        await sql.execute(
            "SELECT FROM core_order_tally WHERE store_id = $1 AND owner_id = $2 FOR UPDATE", store.id, owner.id
        )
        task = asyncio.create_task(insert_rows(rows(1)), context=Context())
        order = await asyncio.wait_for(asyncio.create_task(other.order(line(soup)), context=Context()), timeout=120)
        assert not task.done()

    await task
    assert order["number"] == 1
    assert await get_tally(store) == (2, 2)


async def test_many_orders_renew_statistics_at_once_and_not_all_the_time(store, monkeypatch):
    monkeypatch.setattr(insertion_queue, "GROWN_BY_ORDERS", 3)
    monkeypatch.setattr(insertion_queue, "_growth", insertion_queue._Growth())
    soup = await store.item()
    woken = []

    with notifier.listen(ANALYZE_TASK, lambda: woken.append(1), catches_up=False):
        counts = []
        for _ in range(8):
            await store.order(line(soup))
            counts.append(len(woken))
        monkeypatch.setattr(insertion_queue, "MIN_SECONDS_BETWEEN_ANALYSES", 0.0)
        await store.order(line(soup))
        counts.append(len(woken))

    assert counts == [0, 0, 1, 1, 1, 1, 1, 1, 2]
