"""What becomes of tickets when somebody else moves the order."""

import asyncio

import pytest
from comanda_kds.models import ItemState
from comanda_kds.services.item_states import derive_order_status


@pytest.fixture
async def mixed(kitchen, cook):
    """An order whose lines are queued, preparing, ready and served."""
    order = await kitchen.ordered(kitchen.soup, kitchen.bread, kitchen.wine, kitchen.soup)
    for steps, item in enumerate(order.lines):
        for _ in range(steps):
            await cook.bump(item)
    assert await kitchen.kds(order) == ["queued", "preparing", "ready", "served"]
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
async def test_what_is_not_served_follows_the_order(kitchen, cook, mixed, status, states):
    # Its status is `preparing` by now, which would stay as it is.
    await kitchen.set_status(mixed.id, "ready" if status == "preparing" else "new")
    await kitchen.set_status(mixed.id, status)

    assert await kitchen.kds(mixed) == states
    live = [state for state in states if state != "served"]
    assert await cook.states() == ({mixed.id: live} if live else {})


async def test_tickets_of_a_cancelled_order_leave_the_board_and_come_back_as_the_order_does(kitchen, cook, mixed):
    await kitchen.set_status(mixed.id, "cancelled")
    assert await kitchen.kds(mixed) == [None] * 4
    assert await cook.board() == []

    await kitchen.set_status(mixed.id, "preparing")

    assert await kitchen.kds(mixed) == ["preparing"] * 4
    assert await cook.states() == {mixed.id: ["preparing"] * 4}


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("new", "queued"),
        ("preparing", "preparing"),
        ("ready", "ready"),
        ("delivered", "served"),
        ("completed", "served"),
    ],
)
async def test_lines_that_nobody_bumped_are_where_their_order_is(kitchen, cook, status, state):
    order = await kitchen.ordered(kitchen.soup, kitchen.bread)

    await kitchen.set_status(order.id, status)

    assert await kitchen.kds(order) == [state, state]
    assert await cook.states() == ({} if state == "served" else {order.id: [state, state]})


async def test_what_was_served_stays_served_when_the_order_is_opened_again_until_a_cook_recalls_it(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup, kitchen.bread)
    await kitchen.set_status(order.id, "delivered")

    await kitchen.set_status(order.id, "preparing")

    assert await kitchen.kds(order) == ["served", "served"]
    assert (await cook.recall(order.lines[0])).status == 200
    assert await cook.states() == {order.id: ["ready"]}


async def test_bumping_after_the_order_was_moved_goes_on_from_there(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup, kitchen.bread)
    await kitchen.set_status(order.id, "preparing")

    reply = await cook.bump(order.lines[0])

    assert (reply["status"], reply["order_status"]) == ("ready", "preparing")
    assert await kitchen.kds(order) == ["ready", "preparing"]
    assert reply["started_at"] is not None


async def test_a_store_without_a_kitchen_has_nothing_of_it(client, owner, open_store):
    shop = await open_store("retail")
    shirt = await shop.item("Shirt", 20)
    order = await shop.order({"item_id": shirt["id"]}, type="pickup_slot")

    record = (await shop.get(f"/orders/{order['id']}")).document

    assert [(each["kds_status"], each["station_id"]) for each in record["items"]] == [(None, None)]
    assert (await shop.send("GET", "/stations")).status == 404


async def test_a_cook_and_the_owner_who_move_one_order_at_once_leave_lines_and_order_in_step(kitchen, cook):
    for _ in range(4):
        order = await kitchen.ordered(kitchen.soup, kitchen.bread)

        replies = await asyncio.gather(
            cook.bump(order.lines[0]), kitchen.set_status(order.id, "ready"), cook.bump(order.lines[1])
        )

        assert [reply.status for reply in replies] == [200] * 3
        states, status = await kitchen.kds(order), await kitchen.status(order)
        assert status == derive_order_status([ItemState(state) for state in states], "takeaway")
