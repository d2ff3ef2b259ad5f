"""The kitchen's items when orders are amended."""

import pytest
from comanda.devkit.testing import line


@pytest.fixture
async def order(kitchen):
    """An order of soup and bread."""
    return await kitchen.place_order(kitchen.soup, kitchen.bread)


async def amend(kitchen, order, path, body):
    return await kitchen.send("POST", f"/orders/{order.id}/{path}", body)


async def test_new_round_is_queued_while_the_first_is_ready(kitchen, cook, order):
    await kitchen.set_status(order.id, "ready")

    amended = (await amend(kitchen, order, "lines", {"items": [line(kitchen.bread)]})).document

    assert [each["kds_status"] for each in amended["items"]] == ["ready", "ready", "queued"]
    assert amended["status"] == "preparing"


async def test_new_round_of_a_new_order_writes_no_states(kitchen, cook, order):
    amended = (await amend(kitchen, order, "lines", {"items": [line(kitchen.bread)]})).document

    assert [each["kds_status"] for each in amended["items"]] == ["queued"] * 3
    await kitchen.set_status(order.id, "preparing")
    assert await kitchen.list_kds_statuses(order) == ["preparing"] * 3


async def test_void_of_the_last_unfinished_line_makes_the_order_ready(kitchen, cook, order):
    soup, bread = order.lines
    for _ in range(2):
        await cook.bump(soup)

    voided = await amend(kitchen, order, f"lines/{bread}/void", {"reason": "Sold out"})

    assert voided.document["status"] == "ready"


async def test_merged_lines_keep_their_states(kitchen, cook, order):
    other = await kitchen.place_order(kitchen.bread)
    await kitchen.set_status(other.id, "ready")

    merged = (await amend(kitchen, order, "merge", {"order_id": other.id})).document

    assert [each["kds_status"] for each in merged["items"]] == ["queued", "queued", "ready"]
    assert merged["status"] == "preparing"


async def test_split_lines_keep_their_states(kitchen, cook):
    order = await kitchen.order(line(kitchen.soup, 2), line(kitchen.bread))
    soup, bread = (each["id"] for each in order["items"])
    await cook.bump(soup)

    split = await kitchen.send(
        "POST",
        f"/orders/{order['id']}/split",
        {"lines": [{"line_id": soup, "quantity": 1}, {"line_id": bread}]},
    )

    assert [each["kds_status"] for each in split.document["items"]] == ["preparing", "queued"]
    rest = (await kitchen.get(f"/orders/{order['id']}")).document
    assert ([each["kds_status"] for each in rest["items"]], rest["status"]) == (["preparing"], "preparing")


async def list_tickets(cook):
    """Return the rounds on the board with their ages and the names of their items and voids."""
    return [
        (
            each["round"],
            each["age_seconds"],
            [item["name"] for item in each["items"]],
            [(void["quantity"], void["name"]) for void in each["voids"]],
        )
        for each in await cook.get_board()
    ]


async def test_new_round_is_a_ticket_as_old_as_the_round(kitchen, cook, order, clock):
    clock.advance(minutes=20)

    await amend(kitchen, order, "lines", {"items": [line(kitchen.wine)]})
    clock.advance(minutes=1)

    assert await list_tickets(cook) == [(1, 1260, ["Soup", "Bread"], []), (2, 60, ["Wine"], [])]
    assert [(each["order_id"], each["lateness"]) for each in await cook.get_board()] == [
        (order.id, "late"),
        (order.id, "on_time"),
    ]


async def test_merged_order_is_a_ticket_as_old_as_it_was(kitchen, cook, order, clock):
    clock.advance(minutes=5)
    other = await kitchen.place_order(kitchen.wine)
    clock.advance(minutes=10)

    await amend(kitchen, order, "merge", {"order_id": other.id})

    assert await list_tickets(cook) == [(1, 900, ["Soup", "Bread"], []), (2, 600, ["Wine"], [])]


async def test_status_of_a_split_order_follows_its_lines(kitchen, cook, order):
    soup, _ = order.lines
    for _ in range(2):
        await cook.bump(soup)

    split = await amend(kitchen, order, "split", {"lines": [{"line_id": soup}]})

    assert split.document["status"] == "ready"
    assert (await kitchen.get(f"/orders/{order.id}"))["status"] == "new"


async def test_split_ticket_is_as_old_as_the_order(kitchen, cook, order, clock):
    clock.advance(minutes=10)

    await amend(kitchen, order, "split", {"lines": [{"line_id": order.lines[1]}]})

    assert await list_tickets(cook) == [(1, 600, ["Soup"], []), (1, 600, ["Bread"], [])]


async def test_moved_table_renames_its_tickets(kitchen, cook):
    placed = await kitchen.place_order(kitchen.soup, type="on-table", table_number="4")
    await amend(kitchen, placed, "lines", {"items": [line(kitchen.wine)]})

    await amend(kitchen, placed, "move", {"table_number": "12"})

    assert [each["table_number"] for each in await cook.get_board()] == ["12", "12"]


async def test_void_is_shown_until_a_cook_has_seen_it(kitchen, cook):
    placed = await kitchen.order(line(kitchen.soup, 3), line(kitchen.bread))
    soup = placed["items"][0]["id"]

    await kitchen.send("POST", f"/orders/{placed['id']}/lines/{soup}/void", {"quantity": 2, "reason": "Changed mind"})

    (ticket,) = await cook.get_board()
    assert [item["quantity"] for item in ticket["items"]] == [1, 1]
    (void,) = ticket["voids"]
    assert (void["order_line_id"], void["name"], void["quantity"]) == (soup, "Soup", 2)
    seen = await cook.send("PUT", f"/voids/{void['id']}/seen")
    again = await cook.send("PUT", f"/voids/{void['id']}/seen")
    assert (seen.status, again.document) == (200, seen.document)
    assert [each["voids"] for each in await cook.get_board()] == [[]]


async def test_ticket_whose_lines_are_all_voided_stays_until_seen(kitchen, cook, order):
    amended = (await amend(kitchen, order, "lines", {"items": [line(kitchen.wine)]})).document

    await amend(kitchen, order, f"lines/{amended['items'][2]['id']}/void", {"reason": "Changed mind"})

    assert [each[2:] for each in await list_tickets(cook)] == [(["Soup", "Bread"], []), ([], [(1, "Wine")])]


async def test_void_of_a_served_line_is_not_shown(kitchen, cook, order):
    soup, _ = order.lines
    for _ in range(3):
        await cook.bump(soup)

    await amend(kitchen, order, f"lines/{soup}/void", {"reason": "Hair in it"})

    assert [each[2:] for each in await list_tickets(cook)] == [(["Bread"], [])]


async def test_voids_follow_a_merged_order(kitchen, cook, order):
    other = await kitchen.place_order(kitchen.wine, kitchen.bread)
    await amend(kitchen, other, f"lines/{other.lines[0]}/void", {"reason": "Changed mind"})

    await amend(kitchen, order, "merge", {"order_id": other.id})

    assert [each[2:] for each in await list_tickets(cook)] == [(["Soup", "Bread"], []), (["Bread"], [(1, "Wine")])]


async def test_void_of_another_store_is_not_found(kitchen, cook, foreign_cook, order):
    await amend(kitchen, order, f"lines/{order.lines[0]}/void", {"reason": "Changed mind"})
    ((void,),) = [each["voids"] for each in await cook.get_board()]

    assert (await foreign_cook.send("PUT", f"/voids/{void['id']}/seen")).status == 404
    assert [len(each["voids"]) for each in await cook.get_board()] == [1]
