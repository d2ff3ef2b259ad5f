"""Bump and recall, and the order that follows."""

import asyncio

import pytest


async def test_a_new_order_is_queued_and_costs_the_kitchen_no_row(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup, kitchen.bread)

    assert await cook.states() == {order.id: ["queued", "queued"]}
    assert await kitchen.kds(order) == ["queued", "queued"]


async def test_items_go_through_the_kitchen_one_state_at_a_time_and_take_their_order_along(kitchen, cook, published):
    order = await kitchen.ordered(kitchen.soup, kitchen.bread, type="on-table", table_number="4")
    soup, bread = order.lines
    seen = []

    for item in (soup, bread, soup, bread, soup, bread):
        reply = await cook.bump(item)
        assert reply.status == 200, reply
        seen.append((reply["status"], reply["order_status"], await kitchen.kds(order)))

    assert seen == [
        ("preparing", "preparing", ["preparing", "queued"]),
        ("preparing", "preparing", ["preparing", "preparing"]),
        ("ready", "preparing", ["ready", "preparing"]),
        ("ready", "ready", ["ready", "ready"]),
        ("served", "ready", ["served", "ready"]),
        ("served", "delivered", ["served", "served"]),
    ]
    assert await kitchen.status(order) == "delivered"
    assert await cook.board() == []
    moves = [(data["from"], data["to"]) for name, data in await published() if name == "order.status_changed"]
    assert moves == [("new", "preparing"), ("preparing", "ready"), ("ready", "delivered")]


async def test_takeaway_stays_ready_when_all_is_served_for_somebody_hands_it_over(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup)
    for _ in range(3):
        await cook.bump(order.lines[0])

    assert await kitchen.status(order) == "ready"
    assert await kitchen.kds(order) == ["served"]
    assert await cook.board() == []


async def test_recall_goes_back_state_by_state_and_takes_the_order_along(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup, type="on-table", table_number="4")
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


async def test_what_is_served_cannot_be_bumped_nor_what_is_queued_recalled(kitchen, cook, published):
    order = await kitchen.ordered(kitchen.soup)
    assert (await cook.recall(order.lines[0])).errors == {"status": ["Soup is still queued."]}
    for _ in range(3):
        await cook.bump(order.lines[0])
    before = await published()

    assert (await cook.bump(order.lines[0])).errors == {"status": ["Soup is served already."]}

    assert await kitchen.kds(order) == ["served"]
    assert await published() == before


async def test_an_item_that_is_not_as_expected_answers_409_and_stays(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup)

    refused = await cook.bump(order.lines[0], expected="preparing")

    assert (refused.status, refused["code"], refused["status"]) == (409, "conflict", "queued")
    assert await kitchen.kds(order) == ["queued"]
    assert (await cook.bump(order.lines[0], expected="queued")).status == 200


async def test_two_cooks_who_bump_one_item_at_once_move_it_once(kitchen, cook, published):
    other = await kitchen.cook()
    for _ in range(5):
        order = await kitchen.ordered(kitchen.soup, kitchen.bread)
        cooks = [cook, other, cook, other]

        replies = await asyncio.gather(*(each.bump(order.lines[0], expected="queued") for each in cooks))

        assert sorted(reply.status for reply in replies) == [200, 409, 409, 409]
        assert await kitchen.kds(order) == ["preparing", "queued"]
    changes = [data["to"] for name, data in await published() if name == "order.status_changed"]
    assert changes == ["preparing"] * 5


async def test_cooks_who_bump_the_items_of_one_order_at_once_leave_it_in_step(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup, kitchen.bread, kitchen.wine)

    for status in ("preparing", "ready"):
        replies = await asyncio.gather(*(cook.bump(item) for item in order.lines))
        assert [reply.status for reply in replies] == [200, 200, 200]
        assert await kitchen.status(order) == status
        assert await kitchen.kds(order) == [status] * 3


@pytest.mark.parametrize("act", ["bump", "recall"])
async def test_an_item_of_another_owner_or_store_looks_missing_and_stays_put(kitchen, cook, foreign_cook, act):
    order = await kitchen.ordered(kitchen.soup)
    await cook.bump(order.lines[0])
    sister = type(kitchen)(kitchen.client, kitchen.owner, await kitchen.owner.store())
    sister.staff_kind = kitchen.staff_kind

    for stranger in (foreign_cook, await sister.cook()):
        reply = await stranger.send("PUT", f"/items/{order.lines[0]}/{act}", {"expected_status": "x"})
        assert (reply.status, reply["code"]) == (404, "not_found")

    assert await kitchen.kds(order) == ["preparing"]


async def test_bad_bodies_are_told_and_move_nothing(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup)

    reply = await cook.send("PUT", f"/items/{order.lines[0]}/bump", {"expected_status": "burnt"})

    assert list(reply.errors) == ["expected_status"]
    assert await kitchen.kds(order) == ["queued"]


async def test_a_member_without_the_permission_gets_403(kitchen):
    waiter = await kitchen.cook(scopes=["orders"])
    order = await kitchen.ordered(kitchen.soup)

    for method, path in (
        ("GET", ""),
        ("PUT", f"/items/{order.lines[0]}/bump"),
        ("GET", "/stream"),
        ("GET", "/stations"),
    ):
        reply = await waiter.send(method, path)
        assert (reply.status, reply["code"]) == (403, "forbidden")
    assert await kitchen.kds(order) == ["queued"]


@pytest.mark.parametrize("settled", ["cancelled", "completed"])
async def test_orders_that_are_cancelled_or_completed_are_not_brought_back(kitchen, cook, settled):
    order = await kitchen.ordered(kitchen.soup)
    await cook.bump(order.lines[0])
    await kitchen.set_status(order.id, settled)

    reply = await cook.recall(order.lines[0])

    assert reply.status == {"cancelled": 409, "completed": 200}[settled]
    assert await kitchen.status(order) == settled
    assert await cook.states() == {"cancelled": {}, "completed": {order.id: ["ready"]}}[settled]
