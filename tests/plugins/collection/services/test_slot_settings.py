"""Slot settings as owners manage them."""

from dataclasses import replace

import pytest
from comanda.basics import NotFound
from comanda.devkit.testing import TestStore
from comanda_collection.schemas import SlotSettingsChange, SlotsQuery
from comanda_collection.services import slot_settings, slots

PICKUP = {"mode": "pickup_slot", "slot_minutes": 15, "capacity": 4, "lead_minutes": 30, "horizon_days": 14}
APPOINTMENT = {"mode": "appointment", "slot_minutes": 30, "capacity": 1, "lead_minutes": 60, "horizon_days": 30}


async def test_defaults_apply_without_settings(laundry):
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}


async def test_update_keeps_omitted_fields_and_other_modes(laundry):
    await laundry.update_rules(slot_minutes=20, capacity=9)
    await laundry.update_rules("appointment", horizon_days=90)

    found = await laundry.update_rules(lead_minutes=0, capacity=None, slot_minutes=None)

    assert found == {
        "pickup_slot": {**PICKUP, "slot_minutes": 20, "capacity": None, "lead_minutes": 0},
        "appointment": {**APPOINTMENT, "horizon_days": 90},
    }
    assert (await laundry.get("/slot-settings")).document == {"modes": list(found.values())}


async def test_settings_cover_modes_of_vertical(client, owner, laundry, store):
    hotel = TestStore(client, owner, await owner.store("hotel"))

    assert (await hotel.get("/slot-settings"))["modes"] == [APPOINTMENT]
    assert (await store.get("/slot-settings"))["modes"] == []
    assert (await hotel.send("PUT", "/slot-settings", {"mode": "pickup_slot"})).errors == {
        "mode": ["This store has slots for: appointment."]
    }
    assert (await store.send("PUT", "/slot-settings", {"mode": "pickup_slot", "capacity": 2})).errors == {
        "mode": ["This store has no mode with slots."]
    }


INVALID_SETTINGS = [
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
]


async def test_invalid_settings_are_refused_and_change_nothing(laundry, subtests):
    for given, errors in INVALID_SETTINGS:
        with subtests.test(given=given, errors=errors):
            refused = await laundry.send("PUT", "/slot-settings", {**given})

            assert refused.errors == errors
            assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}


async def test_unauthorized_update_changes_nothing(laundry, owner, other_owner):
    path = f"/api/v1/restaurants/{laundry.id}/slot-settings"

    for auth, status in ((await owner.token_with("restaurants:read"), 403), (other_owner.auth, 404)):
        response = await laundry.client.put(path, headers=auth, json={"mode": "pickup_slot", "capacity": 2})
        assert response.status_code == status
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}


async def test_token_of_other_store_raises_not_found(laundry, owner, store_id):
    of_another = replace(owner.caller, store_id=store_id)
    change = SlotSettingsChange(mode="pickup_slot", capacity=2)

    for asked in (
        slot_settings.get_slot_settings(of_another, laundry.id),
        slot_settings.update_slot_settings(of_another, laundry.id, change),
        slots.list_slots(of_another, laundry.id, SlotsQuery()),
    ):
        with pytest.raises(NotFound):
            await asked
    assert (await laundry.get("/slot-settings")).document == {"modes": [PICKUP, APPOINTMENT]}
