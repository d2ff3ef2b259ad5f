"""Courses that are held until somebody fires them."""

import pytest
from comanda.devkit.testing import line


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
