"""The floor of a store now."""

from dataclasses import replace
from datetime import timedelta

import pytest
from comanda.contracts import Caller
from comanda_reservations.api import list_floor


@pytest.fixture
def caller(owner):
    return Caller("owner", owner.token_id, owner.id, None, None, frozenset({"*"}), None)


async def test_table_has_its_place_who_is_seated_and_who_comes_next(restaurant, store, caller):
    await restaurant.create_table("1", area="Terrace", plan_column=3, plan_row=2)
    await restaurant.create_table("2", is_active=False)
    now = await restaurant.create_reservation(0, guest_name="Now")
    await restaurant.update_status(now, "seated")
    await restaurant.create_reservation(6, guest_name="Evening", party_size=3)
    await restaurant.create_reservation(30, guest_name="Tomorrow")

    (table,) = await list_floor(caller, store.id)

    assert (table.number, table.area, table.plan_column, table.plan_row) == ("1", "Terrace", 3, 2)
    assert (table.seated.guest_name, table.seated.is_seated) == ("Now", True)
    assert (table.next_reservation.guest_name, table.next_reservation.party_size) == ("Evening", 3)
    assert (table.next_reservation.starts_at - table.seated.starts_at) == timedelta(hours=6)


async def test_floor_of_another_owner_is_empty(restaurant, store, caller):
    await restaurant.create_table("1")

    assert await list_floor(replace(caller, owner_id=caller.owner_id + 1), store.id) == []
