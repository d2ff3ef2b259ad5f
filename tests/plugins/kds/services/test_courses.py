"""Courses that are held until somebody fires them, or until a time."""

import asyncio
from datetime import timedelta

import pytest
from comanda.basics import clock as clocks
from comanda.devkit.testing import line, process_queue
from comanda.platform.db import sql
from comanda_kds.services import courses


@pytest.fixture(autouse=True)
async def nothing_else_is_due(kitchen):
    """The queue is that of all stores: take out what other tests have left in it."""
    await sql.execute("DELETE FROM kds_course WHERE fire_at IS NOT NULL")


@pytest.fixture
async def order(kitchen):
    """An order of soup, and of bread as its second course."""
    return await kitchen.order(line(kitchen.soup), line(kitchen.bread, course=2))


async def list_held(cook):
    return [[item["is_held"] for item in ticket["items"]] for ticket in await cook.get_board()]


async def test_later_course_is_held_until_it_is_fired(kitchen, cook, order):
    assert await list_held(cook) == [[False, True]]

    fired = await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")
    again = await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")

    assert (fired.status, fired["course"]) == (200, 2)
    assert again.document == fired.document
    assert await list_held(cook) == [[False, False]]


async def test_waiter_fires_a_course(kitchen, cook, order):
    waiter = await kitchen.add_cook(scopes=["orders"])
    path = f"/api/v1/staff/orders/{order['id']}/courses/2/fire"

    assert (await kitchen.send_to(path, "POST", None, **cook.auth)).status == 403
    assert (await kitchen.send_to(path, "POST", None, **waiter.auth)).status == 200
    assert await list_held(cook) == [[False, False]]


async def test_fired_course_is_not_late_at_once(kitchen, cook, order, clock):
    clock.advance(minutes=20)
    for _ in range(3):
        await cook.bump(order["items"][0]["id"])
    await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")
    clock.advance(minutes=1)

    (ticket,) = await cook.get_board()

    assert (ticket["age_seconds"], ticket["lateness"]) == (60, "on_time")


async def test_held_items_are_not_counted(kitchen, cook, order):
    assert [count["name"] for count in await cook.get_board("?view=all_day")] == ["Soup"]


async def test_bumped_item_is_no_longer_held(kitchen, cook, order):
    await cook.bump(order["items"][1]["id"])

    assert await list_held(cook) == [[False, False]]


async def test_fired_courses_are_fired_in_a_split_order(kitchen, cook, order):
    await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")

    await kitchen.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})

    assert await list_held(cook) == [[False], [False]]


async def test_course_that_an_order_does_not_have_is_not_found(kitchen, cook, foreign_cook, order):
    assert (await cook.send("POST", f"/orders/{order['id']}/courses/3/fire")).status == 404
    assert (await foreign_cook.send("POST", f"/orders/{order['id']}/courses/2/fire")).status == 404
    assert await list_held(cook) == [[False, True]]


async def test_course_of_a_closed_order_is_not_fired(kitchen, cook, order):
    await kitchen.set_status(order["id"], "completed")

    assert (await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")).status == 409


async def test_waiter_sees_at_which_course_orders_are(kitchen, cook, order):
    waiter = await kitchen.add_cook(scopes=["orders"])
    await kitchen.order(line(kitchen.soup))

    async def list_courses():
        reply = await kitchen.send_to("/api/v1/staff/courses", "GET", None, **waiter.auth)
        return [(each["order_id"], each["course"], each["held"]) for each in reply.document]

    assert await list_courses() == [(order["id"], 1, [2])]
    await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")
    assert await list_courses() == [(order["id"], 2, [])]


def in_minutes(minutes):
    return (clocks.now() + timedelta(minutes=minutes)).isoformat()


async def fire(cook, order, body=None, course=2):
    return await cook.send("POST", f"/orders/{order['id']}/courses/{course}/fire", body)


async def list_fire_times(kitchen, cook, order):
    """Return when the second course is fired, as the board and the order's record have it."""
    items = [item for ticket in await cook.get_board() for item in ticket["items"]]
    lines = (await kitchen.get(f"/orders/{order['id']}"))["items"]
    return {each["fire_at"] for each in [*items, *lines] if each["is_held"]}


async def test_course_is_fired_once_its_time_has_come(kitchen, cook, order, clock):
    at = in_minutes(15)
    reply = await fire(cook, order, {"minutes": 15})
    assert (reply["fire_at"], reply["fired_at"]) == (at, None)
    assert await list_fire_times(kitchen, cook, order) == {at}

    clock.advance(minutes=14)
    await process_queue(courses.QUEUE)
    assert await list_held(cook) == [[False, True]]
    clock.advance(minutes=1)
    assert await process_queue(courses.QUEUE) == 1

    assert await list_held(cook) == [[False, False]]
    assert await process_queue(courses.QUEUE) == 0
    again = await fire(cook, order)
    assert (again["fire_at"], again["fired_at"]) == (None, at)


async def test_time_that_is_set_again_replaces_the_one_before(kitchen, cook, order, clock):
    await fire(cook, order, {"minutes": 5})
    later = in_minutes(30)

    assert (await fire(cook, order, {"at": later}))["fire_at"] == later
    clock.advance(minutes=6)

    await process_queue(courses.QUEUE)
    assert await list_fire_times(kitchen, cook, order) == {later}


async def test_time_that_is_past_fires_at_once(cook, order):
    assert (await fire(cook, order, {"at": in_minutes(-1)}))["fire_at"] is None
    assert await list_held(cook) == [[False, False]]


async def test_time_is_one_and_within_a_day(kitchen, cook, order):
    both = await fire(cook, order, {"at": in_minutes(5), "minutes": 5})
    far = await fire(cook, order, {"at": in_minutes(24 * 60 + 1)})

    assert (both.status, far.status, list(far.errors)) == (422, 422, ["at"])
    assert await list_fire_times(kitchen, cook, order) == {None}


async def test_course_with_a_time_is_held_again(kitchen, cook, order, clock):
    await fire(cook, order, {"minutes": 5})
    path = f"/orders/{order['id']}/courses/2/fire"

    assert (await cook.send("DELETE", path)).status == 200
    assert (await cook.send("DELETE", path)).document == {
        "order_id": order["id"], "course": 2, "fire_at": None, "fired_at": None
    }  # fmt: skip
    clock.advance(minutes=6)

    assert await process_queue(courses.QUEUE) == 0
    assert await list_fire_times(kitchen, cook, order) == {None}
    await fire(cook, order)
    assert (await cook.send("DELETE", path))["reason"] == "course_fired"


async def test_waiter_and_time_fire_a_course_once(kitchen, cook, order, clock):
    waiter = await kitchen.add_cook(scopes=["orders"])
    await fire(cook, order, {"minutes": 5})
    clock.advance(minutes=5)
    by_hand = f"/api/v1/staff/orders/{order['id']}/courses/2/fire"

    replies, *_ = await asyncio.gather(
        kitchen.send_to(by_hand, "POST", None, **waiter.auth),
        *(courses.fire_due_course(kitchen.owner.id, order["id"], 2) for _ in range(3)),
    )
    clock.advance(minutes=5)
    await process_queue(courses.QUEUE)

    assert replies["fired_at"] == (await fire(cook, order))["fired_at"] == in_minutes(-5)


async def test_closed_order_has_nothing_left_to_fire(kitchen, cook, order, clock):
    await fire(cook, order, {"minutes": 5})
    await kitchen.set_status(order["id"], "cancelled")
    clock.advance(minutes=5)

    assert await process_queue(courses.QUEUE) == 1
    await kitchen.set_status(order["id"], "new")

    assert await list_fire_times(kitchen, cook, order) == {None}


async def test_new_line_of_a_later_course_is_held(kitchen, order):
    assert [each["is_held"] for each in order["items"]] == [False, True]


@pytest.fixture
async def by_itself(kitchen):
    """The next course is fired ten minutes after the one before it is ready."""
    reply = await kitchen.send("PUT", "/settings/kds", {"next_course_minutes": 10})
    assert reply.status == 200, reply


async def test_next_course_gets_its_time_when_the_one_before_is_ready(kitchen, cook, order, clock, by_itself):
    soup = order["items"][0]["id"]
    await cook.bump(soup)
    assert await list_fire_times(kitchen, cook, order) == {None}
    await cook.bump(soup)
    at = in_minutes(10)
    assert await list_fire_times(kitchen, cook, order) == {at}

    clock.advance(minutes=1)
    await cook.bump(soup)
    assert await list_fire_times(kitchen, cook, order) == {at}
    clock.advance(minutes=9)

    assert await process_queue(courses.QUEUE) == 1
    assert await list_held(cook) == [[False]]


async def test_recall_takes_the_time_of_the_next_course_back(kitchen, cook, order, by_itself):
    soup = order["items"][0]["id"]
    for _ in range(2):
        await cook.bump(soup)
    await cook.recall(soup)

    assert await list_fire_times(kitchen, cook, order) == {None}


async def test_time_that_a_waiter_set_stays(kitchen, cook, order, by_itself):
    at = in_minutes(3)
    await fire(cook, order, {"at": at})
    soup = order["items"][0]["id"]
    for _ in range(2):
        await cook.bump(soup)
    await cook.recall(soup)

    assert await list_fire_times(kitchen, cook, order) == {at}


async def test_line_added_to_an_earlier_course_delays_the_next(kitchen, cook, order, by_itself):
    for _ in range(2):
        await cook.bump(order["items"][0]["id"])
    await kitchen.send("POST", f"/orders/{order['id']}/lines", {"items": [{"item_id": kitchen.wine["id"]}]})

    assert await list_fire_times(kitchen, cook, order) == {None}


async def test_only_the_first_held_course_gets_a_time(kitchen, cook, by_itself):
    order = await kitchen.order(line(kitchen.soup), line(kitchen.bread, course=3), line(kitchen.wine, course=2))
    for _ in range(2):
        await cook.bump(order["items"][0]["id"])

    (ticket,) = await cook.get_board()
    assert [item["fire_at"] is None for item in ticket["items"]] == [True, True, False]
