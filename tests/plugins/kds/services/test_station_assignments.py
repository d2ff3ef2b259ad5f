"""Stations of staff members."""

import pytest
from comanda.basics import Forbidden
from comanda.contracts import Caller
from comanda_kds.schemas import StationQuery
from comanda_kds.services import station_assignments


async def test_staff_see_and_bump_items_of_their_stations(kitchen, cook):
    grill, cold = await kitchen.add_station("Grill"), await kitchen.add_station("Cold")
    await kitchen.set_route(kitchen.soup, cold)
    order = await kitchen.place_order(kitchen.soup, kitchen.wine)
    pastry = await kitchen.add_cook(cold)

    assert [item["name"] for item in (await pastry.get_board())[0]["items"]] == ["Soup"]
    assert [each["name"] for each in (await pastry.send("GET", "/stations"))["data"]] == ["Cold"]
    for path in (f"?station_id={grill}", f"/stream?station_id={grill}"):
        assert (await pastry.send("GET", path)).status == 403
    assert (await pastry.bump(order.lines[1])).status == 403
    assert (await pastry.bump(order.lines[0])).status == 200
    assert await kitchen.list_kds_statuses(order) == ["preparing", "queued"]
    assert [item["name"] for item in (await cook.get_board(f"?station_id={grill}"))[0]["items"]] == ["Wine"]


async def test_staff_of_deleted_stations_see_everything(kitchen):
    grill = await kitchen.add_station("Grill")
    cook = await kitchen.add_cook(grill)
    await kitchen.place_order(kitchen.soup)
    await kitchen.send("DELETE", f"/stations/{grill}")

    assert len(await cook.get_board()) == 1


async def test_station_of_another_member_is_forbidden(kitchen):
    grill, cold = await kitchen.add_station("Grill"), await kitchen.add_station("Cold")
    cook = await kitchen.add_cook(cold)
    caller = Caller("staff", 1, kitchen.owner.id, kitchen.id, cook.member_id, frozenset({"kds"}), None)

    with pytest.raises(Forbidden):
        await station_assignments.get_assignment_at(caller, StationQuery(station_id=grill))
