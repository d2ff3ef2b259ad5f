"""Parallel requests: one key, the last stock, one order, and menu edits."""

import asyncio
import random
from collections import Counter
from itertools import pairwise

import asyncpg
import pytest
from comanda.contracts.orders.status import Status
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql

STATUSES = [status.value for status in Status]


async def tally(store):
    row = await sql.fetch_one(f"SELECT {', '.join(STATUSES)} FROM core_order_tally WHERE store_id = $1", store.id)
    return dict(row)


async def count(store):
    rows = await sql.fetch("SELECT status, count(*) FROM core_order WHERE store_id = $1 GROUP BY status", store.id)
    return {**dict.fromkeys(STATUSES, 0), **dict(map(tuple, rows))}


@pytest.mark.parametrize("where", ["header", "body", "both"])
async def test_parallel_requests_with_one_key_place_one_order(store, published, where):
    soup = await store.item("Soup", 5)
    before = len(await published())
    key = {"header": {"key": "k"}, "body": {"client_uuid": "k"}, "both": {"key": "h", "client_uuid": "b"}}[where]

    replies = await asyncio.gather(*(store.place(line(soup), **key) for _ in range(50)))

    assert {reply.status for reply in replies} == {201}
    assert all(reply.document == replies[0].document for reply in replies)
    assert sum("idempotent-replayed" in map(str.lower, reply.headers) for reply in replies) == 49
    assert await count(store) == await tally(store) == {**dict.fromkeys(STATUSES, 0), "new": 1}
    assert [name for name, _ in (await published())[before:]] == ["order.created"]


async def test_parallel_replays_for_the_last_item_are_equal(bazaar):
    for number in range(5):
        lamp = await bazaar.item("Lamp", stock=1)

        replies = await asyncio.gather(*(bazaar.place(line(lamp), key=f"k-{number}") for _ in range(50)))

        assert [reply.errors for reply in replies if reply.status != 201] == []
        assert len({reply["id"] for reply in replies}) == 1
        assert (await bazaar.get(f"/menu/items/{lamp['id']}"))["stock"] == 0
    assert (await bazaar.get("/orders"))["total"] == 5


async def test_parallel_orders_do_not_oversell(bazaar):
    lamp = await bazaar.item("Lamp", stock=20)

    replies = await asyncio.gather(*(bazaar.place(line(lamp)) for _ in range(200)))

    assert Counter(reply.status for reply in replies) == {201: 20, 422: 180}
    sentences = {sentence for reply in replies if reply.status == 422 for sentence in reply.errors["items.0.item_id"]}
    assert sentences <= {"There is not enough of Lamp left.", "Lamp is sold out."}
    assert sorted(reply["number"] for reply in replies if reply.status == 201) == list(range(1, 21))
    assert (await bazaar.get(f"/menu/items/{lamp['id']}"))["stock"] == 0
    assert await sql.fetch_value("SELECT sum(delta) FROM core_stock_change WHERE store_id = $1", bazaar.id) == -20
    assert await bazaar.public_items() == []
    assert await count(bazaar) == await tally(bazaar)


async def test_orders_of_the_same_items_do_not_deadlock(bazaar):
    goods = [await bazaar.item(f"Item {number}", stock=40) for number in range(5)]
    variants = []
    for item in goods:
        made = await bazaar.send("POST", f"/menu/items/{item['id']}/variants", {"name": "V", "price": 1, "stock": 40})
        variants.append(made["id"])
    dice = random.Random(7)

    def basket():
        lines = [line(item) for item in goods]
        lines += [line(item, variation=variant) for item, variant in zip(goods, variants, strict=True)]
        return dice.sample(lines, len(lines))

    replies = await asyncio.gather(*(bazaar.place(*basket()) for _ in range(60)))

    assert Counter(reply.status for reply in replies) == {201: 40, 422: 20}
    assert {(await bazaar.get(f"/menu/items/{item['id']}"))["stock"] for item in goods} == {0}


async def test_parallel_status_changes_are_consistent(bazaar):
    lamp = await bazaar.item("Lamp", stock=10)
    order = await bazaar.order(line(lamp, 4))
    wanted = STATUSES * 8
    random.Random(11).shuffle(wanted)

    replies = await asyncio.gather(*(bazaar.set_status(order["id"], status) for status in wanted))

    assert {reply.status for reply in replies} == {200}
    last = (await bazaar.get(f"/orders/{order['id']}"))["status"]
    assert await tally(bazaar) == await count(bazaar) == {**dict.fromkeys(STATUSES, 0), last: 1}
    steps = await sql.fetch(
        "SELECT from_value, to_value FROM core_order_change WHERE order_id = $1 ORDER BY id", order["id"]
    )
    path = ["new", *(row["to_value"] for row in steps)]
    assert [(row["from_value"], row["to_value"]) for row in steps] == list(pairwise(path))
    assert path[-1] == last
    assert (await bazaar.get(f"/menu/items/{lamp['id']}"))["stock"] == (10 if last == "cancelled" else 6)


async def test_parallel_orders_changes_and_edits_do_not_deadlock(bazaar, published):
    """Two of anything waiting for each other would answer 503 here, as any error of the database does."""
    category = await bazaar.category("Goods")
    goods = [await bazaar.item(f"Item {number}", 3, category_id=category, stock=10_000) for number in range(6)]
    dice = random.Random(23)
    orders = [(await bazaar.order(*map(line, goods)))["id"] for _ in range(10)]
    edits = {
        "price": lambda item: bazaar.send("PUT", f"/menu/items/{item['id']}", {"price": dice.randint(1, 9)}),
        "stock": lambda item: bazaar.send("PUT", f"/menu/items/{item['id']}", {"stock": 10_000}),
        "variations": lambda item: bazaar.send(
            "PUT", f"/menu/items/{item['id']}", {"variations": [{"name": "V", "price": 1}]}
        ),
        "variant": lambda item: bazaar.send(
            "POST", f"/menu/items/{item['id']}/variants", {"name": "W", "price": 2, "stock": 5}
        ),
        "sold out": lambda item: bazaar.send("PATCH", f"/menu/items/{item['id']}/sold-out"),
        "category": lambda item: bazaar.send("PUT", f"/menu/categories/{category}", {"position": dice.randint(0, 9)}),
        "delete": lambda item: bazaar.send("DELETE", f"/menu/categories/{category}"),
        "settings": lambda item: bazaar.send("PUT", "/settings", {"tax_rate": dice.randint(0, 20)}),
        "order": lambda item: bazaar.place(*(line(each) for each in dice.sample(goods, 4))),
        "status": lambda item: bazaar.set_status(dice.choice(orders), dice.choice(STATUSES)),
        "menu": lambda item: bazaar.send_to(f"/api/v1/menu/{bazaar.id}"),
        "list": lambda item: bazaar.send("GET", "/orders"),
    }

    acts = [name for name in edits for _ in range(15)] + ["order", "status"] * 60
    dice.shuffle(acts)
    replies = await asyncio.gather(*(edits[act](dice.choice(goods)) for act in acts))

    allowed = {"order": {201, 422}, "variant": {201}, "delete": {409}}
    outcomes = {act: set() for act in edits}
    for act, reply in zip(acts, replies, strict=True):
        outcomes[act].add(reply.status)
    assert {act: statuses for act, statuses in outcomes.items() if not statuses <= allowed.get(act, {200})} == {}
    assert await tally(bazaar) == await count(bazaar)
    placed = sum(act == "order" and reply.status == 201 for act, reply in zip(acts, replies, strict=True))
    created = [name for name, _ in await published() if name == "order.created"]
    assert len(created) == placed + len(orders)


async def test_replay_of_a_stuck_request_gets_409_after_five_seconds(store, database_url):
    soup = await store.item("Soup", 5)
    await store.order(line(soup))
    stuck = await asyncpg.connect(database_url)
    async with stuck.transaction():
        owner_id = await sql.fetch_value("SELECT owner_id FROM core_store WHERE id = $1", store.id)
        await stuck.execute(
            "SELECT 1 FROM core_order_tally WHERE store_id = $1 AND owner_id = $2 FOR UPDATE", store.id, owner_id
        )
        waited = await store.place(line(soup), key="k")
    await stuck.close()

    assert (waited.status, waited["code"]) == (409, "conflict")
    assert {name.lower(): value for name, value in waited.headers.items()}["retry-after"] == "1"
    assert await sql.fetch_value("SHOW lock_timeout") == "5s"
    # Nothing of it is kept, and the key is free.
    assert await tally(store) == await count(store) == {**dict.fromkeys(STATUSES, 0), "new": 1}
    again = await store.place(line(soup), key="k")
    assert (again.status, again["number"]) == (201, 2)
