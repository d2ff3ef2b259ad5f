"""The delivery of an order in the dashboard."""

import pytest


@pytest.fixture
async def order(kitchen):
    return await kitchen.place_delivery()


@pytest.fixture
def path(kitchen, order):
    return f"/stores/{kitchen.id}/orders/{order['id']}"


async def test_driver_is_assigned_and_the_status_overridden(dashboard, kitchen, driver, order, path):
    page = await dashboard.get(path)
    assert "Waiting for a driver" in page
    assert driver.record["name"] in page

    assert await dashboard.post(f"{path}/assign", {"driver_id": str(driver.id)}) == path
    await dashboard.post(f"{path}/delivery-status", {"delivery_status": "failed", "note": "Nobody home"})

    found = await kitchen.get_order(order)
    assert (found["driver"]["id"], found["delivery_status"]) == (driver.id, "failed")
    page = await dashboard.get(path)
    assert "Nobody home" in page
    assert "Failed deliveries" in await dashboard.get(f"/stores/{kitchen.id}")


async def test_refused_assignment_changes_nothing(dashboard, kitchen, order, path):
    for driver_id in ("", "999999999"):
        await dashboard.client.post(
            f"/dashboard{path}/assign", form={"driver_id": driver_id, "csrf_token": dashboard.csrf_token}
        )

    assert (await kitchen.get_order(order))["driver"] is None


async def test_an_address_in_no_known_area_is_marked(dashboard, kitchen, path):
    bands = [{"prefixes": ["1100"], "fee": 1}]
    await kitchen.set_terms(postcode_bands=bands, unplaced_addresses="ask")
    asked = await kitchen.place_delivery()

    assert "No delivery area was found" in await dashboard.get(f"/stores/{kitchen.id}/orders/{asked['id']}")
    assert "No delivery area was found" not in await dashboard.get(path)


async def test_takeaway_has_no_delivery(dashboard, kitchen):
    order = await kitchen.place_delivery(type="takeaway")

    assert "Waiting for a driver" not in await dashboard.get(f"/stores/{kitchen.id}/orders/{order['id']}")
