"""Pick-up times in the dashboard."""

import pytest
from comanda.basics.clock import now

FIELDS = {"mode": "pickup_slot", "slot_minutes": "30", "capacity": "4", "lead_minutes": "60", "horizon_days": "7"}


@pytest.fixture
async def shop(open_store):
    return await open_store("retail")


async def test_times_are_saved_and_the_day_is_shown(dashboard, shop, clock):
    clock.set(now().replace(hour=9))  # late in the evening no times are left
    to = await dashboard.post(f"/stores/{shop.id}/collection-slots", FIELDS)
    page = await dashboard.get(to)
    await dashboard.post(f"/stores/{shop.id}/collection-slots", {**FIELDS, "capacity": ""})
    settings = (await shop.get("/slot-settings"))["modes"][0]

    assert "0 / 4" in page
    assert (settings["slot_minutes"], settings["capacity"], settings["horizon_days"]) == (30, None, 7)


async def test_wrong_lengths_are_refused_beside_the_field(dashboard, shop):
    page = await dashboard.post(f"/stores/{shop.id}/collection-slots", {**FIELDS, "slot_minutes": "1"}, status=422)

    assert 'aria-invalid="true"' in page
    assert 'value="60"' in page


async def test_stores_without_slots_say_so(dashboard, store):
    assert "neither pick-up slots" in await dashboard.get(f"/stores/{store.id}/collection-slots")
    assert "collection-slots" not in await dashboard.get(f"/stores/{store.id}/orders")
