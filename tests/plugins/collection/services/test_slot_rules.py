"""The rules of slots: defaults, updates and their limits."""


async def test_new_rules_apply_to_next_order(laundry):
    assert await laundry.book() == "2030-01-07T09:30:00+00:00"

    await laundry.update_rules(lead_minutes=45, slot_minutes=40)

    assert await laundry.book() == "2030-01-07T10:00:00+00:00"


PICKUP = {"mode": "pickup_slot", "slot_minutes": 15, "capacity": 4, "lead_minutes": 30, "horizon_days": 14}


async def test_longer_horizon_allows_longer_notice(laundry):
    found = await laundry.update_rules(lead_minutes=14 * 24 * 60, horizon_days=30)

    assert found["pickup_slot"] == {**PICKUP, "lead_minutes": 14 * 24 * 60, "horizon_days": 30}
