"""Stations, what is made where, and who sees which."""

import pytest


async def test_the_first_station_is_the_default_and_there_is_always_one(kitchen):
    grill = await kitchen.station("Grill")
    cold = await kitchen.station("Cold", position=1)
    assert await defaults(kitchen) == ["Grill"]
    refused = await kitchen.send("PATCH", f"/stations/{grill}", {"is_default": False})
    assert list(refused.errors) == ["is_default"]

    assert (await kitchen.send("PATCH", f"/stations/{cold}", {"is_default": True})).status == 200
    assert await defaults(kitchen) == ["Cold"]
    assert (await kitchen.send("DELETE", f"/stations/{cold}")).status == 204

    assert await defaults(kitchen) == ["Grill"]


async def defaults(kitchen):
    return [each["name"] for each in (await kitchen.get("/stations"))["data"] if each["is_default"]]


async def test_a_name_is_given_once_whatever_its_case(kitchen):
    await kitchen.station("Grill")

    assert (await kitchen.send("POST", "/stations", {"name": "GRILL"})).errors == {
        "name": ["There is a station GRILL already."]
    }
    assert (await kitchen.get("/stations"))["total"] == 1


async def test_items_are_made_where_they_are_routed_else_their_category_else_at_the_default(kitchen, cook):
    grill, cold = await kitchen.station("Grill"), await kitchen.station("Cold")
    await kitchen.route(kitchen.soup, cold)
    path = f"/station-routes/categories/{kitchen.bread['category_id']}"
    await kitchen.send("PUT", path, {"station_id": cold})
    order = await kitchen.ordered(kitchen.soup, kitchen.bread, kitchen.wine)

    assert [item["station_id"] for item in (await cook.board())[0]["items"]] == [cold, cold, grill]
    record = (await kitchen.get(f"/orders/{order.id}")).document
    assert [each["station_id"] for each in record["items"]] == [cold, cold, grill]
    await kitchen.route(kitchen.bread, grill)
    assert [item["station_id"] for item in (await cook.board())[0]["items"]] == [cold, grill, grill]
    assert (await kitchen.send("DELETE", f"/station-routes/items/{kitchen.bread['id']}")).status == 204
    assert (await kitchen.send("DELETE", path)).status == 204
    assert [item["station_id"] for item in (await cook.board())[0]["items"]] == [cold, grill, grill]
    assert (await kitchen.get("/station-routes"))["data"] == [
        {"item_id": kitchen.soup["id"], "category_id": None, "station_id": cold}
    ]


async def test_what_the_kitchen_does_not_make_is_not_on_the_board_and_holds_no_order_up(kitchen, cook):
    await kitchen.route(kitchen.wine, None)
    order = await kitchen.ordered(kitchen.soup, kitchen.wine, type="on-table", table_number="1")
    assert await kitchen.kds(order) == ["queued", None]
    assert await cook.states() == {order.id: ["queued"]}

    assert (await cook.bump(order.lines[1])).status == 404
    for _ in range(3):
        await cook.bump(order.lines[0])

    assert await kitchen.status(order) == "delivered"
    assert await kitchen.kds(order) == ["served", None]


async def test_members_see_and_move_what_is_made_at_their_stations(kitchen, cook):
    grill, cold = await kitchen.station("Grill"), await kitchen.station("Cold")
    await kitchen.route(kitchen.soup, cold)
    order = await kitchen.ordered(kitchen.soup, kitchen.wine)
    pastry = await kitchen.cook(cold)

    assert [item["name"] for item in (await pastry.board())[0]["items"]] == ["Soup"]
    assert [each["name"] for each in (await pastry.send("GET", "/stations"))["data"]] == ["Cold"]
    for path in (f"?station_id={grill}", f"/stream?station_id={grill}"):
        assert (await pastry.send("GET", path)).status == 403
    assert (await pastry.bump(order.lines[1])).status == 403
    assert (await pastry.bump(order.lines[0])).status == 200
    assert await kitchen.kds(order) == ["preparing", "queued"]
    assert [item["name"] for item in (await cook.board(f"?station_id={grill}"))[0]["items"]] == ["Wine"]


async def test_a_station_that_is_not_the_stores_is_missing(kitchen, cook, foreign_cook):
    theirs = await foreign_cook.store.station("Grill")

    assert (await cook.send("GET", f"?station_id={theirs}")).status == 404
    refused = await kitchen.send("PUT", f"/station-routes/items/{kitchen.soup['id']}", {"station_id": theirs})
    assert refused.errors == {"station_id": ["The store has no such station."]}
    assert (await kitchen.get("/station-routes"))["total"] == 0


async def test_a_member_whose_stations_are_gone_sees_everything(kitchen):
    grill = await kitchen.station("Grill")
    cook = await kitchen.cook(grill)
    await kitchen.ordered(kitchen.soup)
    await kitchen.send("DELETE", f"/stations/{grill}")

    assert len(await cook.board()) == 1


@pytest.mark.parametrize(
    "body", [{}, {"station_id": "x"}, {"station_id": 0}, {"station_id": 2**60}, {"station_id": True}]
)
async def test_a_route_that_says_nothing_is_refused(kitchen, body):
    reply = await kitchen.send("PUT", f"/station-routes/items/{kitchen.soup['id']}", body)

    assert list(reply.errors) == ["station_id"]


async def test_deleting_what_is_routed_takes_the_route_along(kitchen):
    grill = await kitchen.station("Grill")
    await kitchen.route(kitchen.soup, grill)

    assert (await kitchen.send("DELETE", f"/menu/items/{kitchen.soup['id']}")).status == 204

    assert (await kitchen.get("/station-routes"))["total"] == 0
