"""How an owner cuts the slots of a store."""

from dataclasses import replace

import pytest
from comanda.devkit.testing.stores import TestStore
from comanda.errors import NotFound
from comanda_collection import services
from comanda_collection.schemas import SlotSettingsChange, SlotsQuery

PICKUP = {"mode": "pickup_slot", "slot_minutes": 15, "capacity": 4, "lead_minutes": 30, "horizon_days": 14}
APPOINTMENT = {"mode": "appointment", "slot_minutes": 30, "capacity": 1, "lead_minutes": 60, "horizon_days": 30}


async def test_without_settings_the_defaults_hold(laundry):
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}


async def test_fields_left_out_stay_as_they_are_and_other_modes_too(laundry):
    await laundry.cut(slot_minutes=20, capacity=9)
    await laundry.cut("appointment", horizon_days=90)

    found = await laundry.cut(lead_minutes=0, capacity=None, slot_minutes=None)

    assert found == {
        "pickup_slot": {**PICKUP, "slot_minutes": 20, "capacity": None, "lead_minutes": 0},
        "appointment": {**APPOINTMENT, "horizon_days": 90},
    }
    assert (await laundry.get("/slot-settings")).document == {"modes": list(found.values())}


async def test_a_store_has_settings_for_the_modes_of_its_vertical(client, owner, laundry, store):
    hotel = TestStore(client, owner, await owner.store("hotel"))

    assert (await hotel.get("/slot-settings"))["modes"] == [APPOINTMENT]
    assert (await store.get("/slot-settings"))["modes"] == []
    assert (await hotel.send("PUT", "/slot-settings", {"mode": "pickup_slot"})).errors == {
        "mode": ["This store has slots for: appointment."]
    }
    assert (await store.send("PUT", "/slot-settings", {"mode": "pickup_slot", "capacity": 2})).errors == {
        "mode": ["This store has no mode with slots."]
    }


@pytest.mark.parametrize(
    ("given", "errors"),
    [
        ({}, {"mode": ["This field is required."]}),
        ({"mode": "in_store"}, {"mode": ["Must be one of: pickup_slot, appointment."]}),
        ({"mode": "pickup_slot", "slot_minutes": 4}, {"slot_minutes": ["Must be 5 or more."]}),
        ({"mode": "pickup_slot", "slot_minutes": 481}, {"slot_minutes": ["Must be 480 or less."]}),
        ({"mode": "pickup_slot", "capacity": 0}, {"capacity": ["Must be 1 or more."]}),
        ({"mode": "pickup_slot", "lead_minutes": -1}, {"lead_minutes": ["Must be 0 or more."]}),
        ({"mode": "pickup_slot", "horizon_days": 0}, {"horizon_days": ["Must be 1 or more."]}),
        ({"mode": "pickup_slot", "horizon_days": 91}, {"horizon_days": ["Must be 90 or less."]}),
        (
            {"mode": "pickup_slot", "lead_minutes": 14 * 24 * 60},
            {"lead_minutes": ["Must be less than the 14 days of horizon_days."]},
        ),
    ],
)
async def test_settings_that_will_not_do_are_refused_and_nothing_changes(laundry, given, errors):
    refused = await laundry.send("PUT", "/slot-settings", {**given})

    assert refused.errors == errors
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}


async def test_a_longer_horizon_makes_room_for_a_longer_notice(laundry):
    found = await laundry.cut(lead_minutes=14 * 24 * 60, horizon_days=30)

    assert found["pickup_slot"] == {**PICKUP, "lead_minutes": 14 * 24 * 60, "horizon_days": 30}


async def test_they_hold_for_the_next_order(laundry):
    assert await laundry.taken_time() == "2030-01-07T09:30:00+00:00"

    await laundry.cut(lead_minutes=45, slot_minutes=40)

    assert await laundry.taken_time() == "2030-01-07T10:00:00+00:00"


async def test_who_may_not_change_them_changes_nothing(laundry, owner, other_owner):
    path = f"/api/v1/restaurants/{laundry.id}/slot-settings"

    for auth, status in ((await owner.token_with("restaurants:read"), 403), (other_owner.auth, 404)):
        response = await laundry.client.put(path, headers=auth, json={"mode": "pickup_slot", "capacity": 2})
        assert response.status_code == status
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}


async def test_a_token_of_one_store_reaches_nothing_of_another(laundry, owner, store_id):
    of_another = replace(owner.caller, store_id=store_id)
    change = SlotSettingsChange(mode="pickup_slot", capacity=2)

    for asked in (
        services.settings(of_another, laundry.id),
        services.change_settings(of_another, laundry.id, change),
        services.slots(of_another, laundry.id, SlotsQuery()),
    ):
        with pytest.raises(NotFound):
            await asked
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}
