"""Drivers in the dashboard: listed, created, changed, and what they hand in."""

import pytest
from comanda.devkit.testing import sign_in

RUI = {"name": "Rui Costa", "phone": "+351961234567"}
API = "/api/v1"


@pytest.fixture
def path(kitchen):
    return f"/stores/{kitchen.id}/drivers"


@pytest.fixture
async def cash(kitchen, driver):
    """Cash that the driver has collected: 20 euros."""
    order = await kitchen.place_assigned(driver, pizzas=2)
    assert (await driver.set_status(order["id"], "delivered")).status == 200
    return (await kitchen.get(f"/driver-cash/{driver.id}")).document["amount"]


async def list_drivers(kitchen):
    return (await kitchen.send_to(f"{API}/drivers"))["data"]


async def test_driver_is_created_with_a_token_that_is_shown_once(dashboard, kitchen, path):
    assert "No drivers yet" in await dashboard.get(f"{path}/all")

    created = await dashboard.post(f"{path}/new", {**RUI, "restaurant_id": str(kitchen.id)}, status=200)
    [driver] = await list_drivers(kitchen)
    page = await dashboard.get(f"{path}/{driver['id']}")

    assert "drv_" in created
    assert "/driver/" in created
    assert (driver["name"], driver["restaurant_id"]) == ("Rui Costa", kitchen.id)
    assert "drv_" not in page
    assert "Rui Costa" in await dashboard.get(f"{path}/all")


async def test_token_of_a_new_driver_needs_a_recent_sign_in(dashboard, kitchen, path, clock):
    clock.advance(minutes=11)

    await dashboard.get(f"{path}/new", status=303)
    page = await dashboard.post(f"{path}/new", {**RUI, "restaurant_id": str(kitchen.id)}, status=403)

    assert "/sign-in/confirm" in page
    assert await list_drivers(kitchen) == []


async def test_wrong_driver_is_refused_beside_the_field(dashboard, kitchen, path, driver):
    created = await dashboard.post(f"{path}/new", {"name": "Eva", "phone": "call me"}, status=422)
    changed = await dashboard.post(f"{path}/{driver.id}", {"name": "", "phone": "1"}, status=422)

    for page in (created, changed):
        assert 'aria-invalid="true"' in page
    assert 'value="call me"' in created
    assert [each["name"] for each in await list_drivers(kitchen)] == ["Rui Costa"]


async def test_driver_is_changed_deactivated_and_deleted(dashboard, kitchen, path, driver):
    await dashboard.post(f"{path}/{driver.id}", {**RUI, "name": "Rui C.", "is_active": "false"})
    [changed] = await list_drivers(kitchen)
    page = await dashboard.get(f"{path}/{driver.id}")
    refused = await dashboard.post(f"{path}/{driver.id}/rotate-token")

    assert (changed["name"], changed["is_active"]) == ("Rui C.", False)
    assert "Inactive" in page
    assert refused == f"{path}/{driver.id}"
    assert await dashboard.post(f"{path}/{driver.id}/delete") == f"{path}/all"
    assert await list_drivers(kitchen) == []


async def test_new_token_logs_the_driver_out(dashboard, path, driver):
    page = await dashboard.post(f"{path}/{driver.id}/rotate-token", status=200)

    assert "drv_" in page
    assert driver.token not in page
    assert (await driver.send("GET", "/me")).status == 401


async def test_driver_with_deliveries_stays(dashboard, kitchen, path, driver):
    order = await kitchen.place_assigned(driver)

    assert await dashboard.post(f"{path}/{driver.id}/delete") == f"{path}/{driver.id}"

    page = await dashboard.get(f"{path}/{driver.id}")
    assert "has deliveries in progress" in page
    assert f"/orders/{order['id']}" in page


async def test_bonus_is_added_and_a_wrong_one_refused(dashboard, path, driver):
    page = await dashboard.post(f"{path}/{driver.id}/adjust", {"amount": "much", "reason": "Rain"}, status=422)
    assert 'value="much"' in page
    await dashboard.post(f"{path}/{driver.id}/adjust", {"amount": "-2,50", "reason": "Rain"})

    earnings = await driver.get_earnings()
    assert (earnings["adjustments"], earnings["adjusted"][0]["reason"]) == (-2.5, "Rain")


async def test_cash_is_received_in_an_open_drawer(dashboard, kitchen, path, driver, cash):
    page = await dashboard.get(f"{path}/{driver.id}")
    assert cash == 20
    assert "€20.00 to hand in" in page
    assert "Cash is received in an open drawer." in page
    assert "€20.00" in await dashboard.get(f"{path}/all")

    shift = await kitchen.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 0})
    one = f"{path}/{driver.id}/hand-in"
    assert "Receive cash" in await dashboard.get(f"{path}/{driver.id}")
    await dashboard.post(one, {"_shift_id": str(shift["id"]), "amount": "12,50"})
    assert "€7.50 to hand in" in await dashboard.get(f"{path}/{driver.id}")
    await dashboard.post(one, {"_shift_id": str(shift["id"]), "amount": "50"})
    assert "This driver holds 7.50 EUR" in await dashboard.get(f"{path}/{driver.id}")
    await dashboard.post(one, {"_shift_id": str(shift["id"]), "amount": ""})

    page = await dashboard.get(f"{path}/{driver.id}")
    assert "Nothing to hand in." in page
    assert "Handed in" in page
    assert (await kitchen.get(f"/shifts/{shift['id']}"))["expected"] == 20


async def test_cash_needs_the_scope_and_a_drawer_of_the_store(app, owner, dashboard, kitchen, path, driver, cash):
    reader = await sign_in(app, owner.id, scopes={"drivers:read", "orders:read"})
    page = await reader.get(f"{path}/{driver.id}")
    assert "€20.00 to hand in" in page
    assert "Save" not in page
    await reader.post(f"{path}/{driver.id}/hand-in", {"_shift_id": "1"}, status=403)

    for shift_id in ("", "x", "987654321"):
        await dashboard.post(f"{path}/{driver.id}/hand-in", {"_shift_id": shift_id, "amount": ""}, status=404)
    assert (await kitchen.get(f"/driver-cash/{driver.id}"))["amount"] == cash


async def test_drivers_of_others_and_of_other_stores_look_missing(dashboard, kitchen, foreign, path):
    stranger = await foreign.add_driver()
    elsewhere = await kitchen.add_driver(restaurant_id=await kitchen.owner.store())

    for driver in (stranger, elsewhere):
        await dashboard.get(f"{path}/{driver.id}", status=404)
        for act in ("", "/adjust", "/hand-in", "/rotate-token", "/delete"):
            fields = {**RUI, "name": "Stolen", "amount": "1", "reason": "x", "_shift_id": "1"}
            await dashboard.post(f"{path}/{driver.id}{act}", fields, status=404)
        assert (await driver.get("/me"))["name"] == "Rui Costa"
