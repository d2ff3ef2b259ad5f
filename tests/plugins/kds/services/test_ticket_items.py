"""Bump and recall, and the status of the order."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_kds.models import ItemState
from comanda_kds.services.item_states import derive_order_status


async def test_bump_advances_item_and_order_status(kitchen, cook, published):
    order = await kitchen.place_order(kitchen.soup, kitchen.bread, type="on-table", table_number="4")
    soup, bread = order.lines
    seen = []

    for item in (soup, bread, soup, bread, soup, bread):
        reply = await cook.bump(item)
        assert reply.status == 200, reply
        seen.append((reply["status"], reply["order_status"], await kitchen.list_kds_statuses(order)))

    assert seen == [
        ("preparing", "preparing", ["preparing", "queued"]),
        ("preparing", "preparing", ["preparing", "preparing"]),
        ("ready", "preparing", ["ready", "preparing"]),
        ("ready", "ready", ["ready", "ready"]),
        ("served", "ready", ["served", "ready"]),
        ("served", "delivered", ["served", "served"]),
    ]
    assert await kitchen.get_status(order) == "delivered"
    assert await cook.get_board() == []
    moves = [(data["from"], data["to"]) for name, data in await published() if name == "order.status_changed"]
    assert moves == [("new", "preparing"), ("preparing", "ready"), ("ready", "delivered")]


async def test_recall_reverts_item_and_order_status(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup, type="on-table", table_number="4")
    for _ in range(3):
        await cook.bump(order.lines[0])

    seen = []
    for _ in range(3):
        reply = await cook.recall(order.lines[0])
        seen.append((reply["status"], reply["order_status"], reply["started_at"] is None, reply["ready_at"] is None))

    assert seen == [
        ("ready", "ready", False, False),
        ("preparing", "preparing", False, True),
        ("queued", "new", True, True),
    ]


async def test_served_cannot_be_bumped_nor_queued_recalled(kitchen, cook, published):
    order = await kitchen.place_order(kitchen.soup)
    assert (await cook.recall(order.lines[0])).errors == {"status": ["Soup is still queued."]}
    for _ in range(3):
        await cook.bump(order.lines[0])
    before = await published()

    assert (await cook.bump(order.lines[0])).errors == {"status": ["Soup is served already."]}

    assert await kitchen.list_kds_statuses(order) == ["served"]
    assert await published() == before


async def test_unexpected_status_returns_409(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)

    refused = await cook.bump(order.lines[0], expected="preparing")

    assert (refused.status, refused["code"], refused["status"]) == (409, "conflict", "queued")
    assert await kitchen.list_kds_statuses(order) == ["queued"]
    assert (await cook.bump(order.lines[0], expected="queued")).status == 200


async def test_concurrent_bumps_of_an_item_advance_it_once(kitchen, cook, published):
    other = await kitchen.add_cook()
    for _ in range(5):
        order = await kitchen.place_order(kitchen.soup, kitchen.bread)
        cooks = [cook, other, cook, other]

        replies = await asyncio.gather(*(each.bump(order.lines[0], expected="queued") for each in cooks))

        assert sorted(reply.status for reply in replies) == [200, 409, 409, 409]
        assert await kitchen.list_kds_statuses(order) == ["preparing", "queued"]
    changes = [data["to"] for name, data in await published() if name == "order.status_changed"]
    assert changes == ["preparing"] * 5


async def test_concurrent_bumps_keep_the_order_status_in_sync(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup, kitchen.bread, kitchen.wine)

    for status in ("preparing", "ready"):
        replies = await asyncio.gather(*(cook.bump(item) for item in order.lines))
        assert [reply.status for reply in replies] == [200, 200, 200]
        assert await kitchen.get_status(order) == status
        assert await kitchen.list_kds_statuses(order) == [status] * 3


@pytest.mark.parametrize("act", ["bump", "recall"])
async def test_item_of_another_owner_or_store_looks_missing(kitchen, cook, foreign_cook, act):
    order = await kitchen.place_order(kitchen.soup)
    await cook.bump(order.lines[0])
    sister = type(kitchen)(kitchen.client, kitchen.owner, await kitchen.owner.store())
    sister.staff_kind = kitchen.staff_kind

    for stranger in (foreign_cook, await sister.add_cook()):
        reply = await stranger.send("PUT", f"/items/{order.lines[0]}/{act}", {"expected_status": "x"})
        assert (reply.status, reply["code"]) == (404, "not_found")

    assert await kitchen.list_kds_statuses(order) == ["preparing"]


@pytest.mark.parametrize("settled", ["cancelled", "completed"])
async def test_recall_does_not_reopen_cancelled_or_completed_orders(kitchen, cook, settled):
    order = await kitchen.place_order(kitchen.soup)
    await cook.bump(order.lines[0])
    await kitchen.set_status(order.id, settled)

    reply = await cook.recall(order.lines[0])

    assert reply.status == {"cancelled": 409, "completed": 200}[settled]
    assert await kitchen.get_status(order) == settled
    assert await cook.list_states() == {"cancelled": {}, "completed": {order.id: ["ready"]}}[settled]


@pytest.fixture
async def mixed(kitchen, cook):
    """An order whose lines are queued, preparing, ready and served."""
    order = await kitchen.place_order(kitchen.soup, kitchen.bread, kitchen.wine, kitchen.soup)
    for steps, item in enumerate(order.lines):
        for _ in range(steps):
            await cook.bump(item)
    assert await kitchen.list_kds_statuses(order) == ["queued", "preparing", "ready", "served"]
    return order


@pytest.mark.parametrize(
    ("status", "states"),
    [
        ("new", ["queued", "queued", "queued", "served"]),
        ("preparing", ["preparing", "preparing", "preparing", "served"]),
        ("ready", ["ready", "ready", "ready", "served"]),
        ("delivered", ["served"] * 4),
        ("completed", ["served"] * 4),
    ],
)
async def test_unserved_items_follow_the_order_status(kitchen, cook, mixed, status, states):
    # Its status is `preparing` by now, which would stay as it is.
    await kitchen.set_status(mixed.id, "ready" if status == "preparing" else "new")
    await kitchen.set_status(mixed.id, status)

    assert await kitchen.list_kds_statuses(mixed) == states
    live = [state for state in states if state != "served"]
    assert await cook.list_states() == ({mixed.id: live} if live else {})


async def test_tickets_of_a_cancelled_order_return_once_reopened(kitchen, cook, mixed):
    await kitchen.set_status(mixed.id, "cancelled")
    assert await kitchen.list_kds_statuses(mixed) == [None] * 4
    assert await cook.get_board() == []

    await kitchen.set_status(mixed.id, "preparing")

    assert await kitchen.list_kds_statuses(mixed) == ["preparing"] * 4
    assert await cook.list_states() == {mixed.id: ["preparing"] * 4}


async def test_served_items_of_a_reopened_order_stay_served(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup, kitchen.bread)
    await kitchen.set_status(order.id, "delivered")

    await kitchen.set_status(order.id, "preparing")

    assert await kitchen.list_kds_statuses(order) == ["served", "served"]
    assert (await cook.recall(order.lines[0])).status == 200
    assert await cook.list_states() == {order.id: ["ready"]}


async def test_bump_continues_from_the_order_status(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup, kitchen.bread)
    await kitchen.set_status(order.id, "preparing")

    reply = await cook.bump(order.lines[0])

    assert (reply["status"], reply["order_status"]) == ("ready", "preparing")
    assert await kitchen.list_kds_statuses(order) == ["ready", "preparing"]
    assert reply["started_at"] is not None


async def test_concurrent_bumps_and_status_change_stay_in_sync(kitchen, cook):
    for _ in range(4):
        order = await kitchen.place_order(kitchen.soup, kitchen.bread)

        replies = await asyncio.gather(
            cook.bump(order.lines[0]), kitchen.set_status(order.id, "ready"), cook.bump(order.lines[1])
        )

        assert [reply.status for reply in replies] == [200] * 3
        states, status = await kitchen.list_kds_statuses(order), await kitchen.get_status(order)
        assert status == derive_order_status([ItemState(state) for state in states], "takeaway")


async def test_repeat_with_key_changes_nothing_even_after_a_recall(kitchen, cook, published):
    order = await kitchen.place_order(kitchen.soup)
    (soup,) = order.lines
    first = await cook.bump(soup, "queued", Idempotency_Key="a-1")
    await cook.recall(soup, "preparing", Idempotency_Key="b-1")
    before = await published()

    again = await cook.bump(soup, "queued", Idempotency_Key="a-1")

    assert (first.status, first["status"]) == (200, "preparing")
    assert (again.status, again["status"], again["order_status"]) == (200, "preparing", "new")
    assert again.headers["idempotent-replayed"] == "true"
    assert await kitchen.list_kds_statuses(order) == ["queued"]
    assert await published() == before
    assert await list_steps(soup) == [("queued", "preparing", "a-1"), ("preparing", "queued", "b-1")]


async def test_concurrent_repeats_with_key_count_once(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)
    (soup,) = order.lines

    replies = await asyncio.gather(*(cook.bump(soup, "queued", Idempotency_Key="a-1") for _ in range(4)))

    assert [(reply.status, reply["status"]) for reply in replies] == [(200, "preparing")] * 4
    assert await list_steps(soup) == [("queued", "preparing", "a-1")]


async def test_refused_step_with_key_leaves_no_row(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)
    (soup,) = order.lines

    assert (await cook.bump(soup, "ready", Idempotency_Key="a-1")).status == 409
    assert (await cook.bump(soup, "queued", Idempotency_Key="a 1")).status == 422

    assert await list_steps(soup) == []
    assert await kitchen.list_kds_statuses(order) == ["queued"]


async def list_steps(item_id):
    rows = await sql.fetch("SELECT * FROM kds_step WHERE order_line_id = $1 ORDER BY id", item_id)
    return [(row["from_state"], row["to_state"], row["idempotency_key"]) for row in rows]


async def follow(move, item_id):
    """Return the states that an item goes through until it cannot be moved any further."""
    states = []
    while (reply := await move(item_id)).status == 200:
        states.append(reply["status"])
    return states


async def test_items_of_a_store_take_as_many_bumps_as_it_set(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)
    assert (await kitchen.send("PUT", "/settings/kds", {"bumps": 1})).status == 200

    assert [item["bumps"] for ticket in await cook.get_board() for item in ticket["items"]] == [1]
    assert await follow(cook.bump, order.lines[0]) == ["ready", "served"]
    assert await follow(cook.recall, order.lines[0]) == ["ready", "queued"]


async def test_station_has_bumps_of_its_own(kitchen, cook):
    grill = await kitchen.add_station("Grill", bumps=1)
    bar = await kitchen.add_station("Bar")
    await kitchen.set_route(kitchen.wine, bar)
    order = await kitchen.place_order(kitchen.soup, kitchen.wine)
    soup, wine = order.lines

    assert await follow(cook.bump, soup) == ["ready", "served"]
    assert await follow(cook.bump, wine) == ["preparing", "ready", "served"]
    assert (await kitchen.send("PATCH", f"/stations/{grill}", {"bumps": None}))["bumps"] is None
    assert await follow(cook.recall, soup) == ["ready", "preparing", "queued"]
