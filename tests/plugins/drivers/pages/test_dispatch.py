"""Drivers at work, on the map and as a table."""

import re

import pytest
from comanda.devkit.testing import sign_in

STORE = {"lat": 38.7139, "lng": -9.1335}


@pytest.fixture
def path(kitchen):
    return f"/stores/{kitchen.id}/drivers"


@pytest.fixture
async def on_shift(kitchen, driver):
    assert (
        await kitchen.set_terms(bands=[{"up_to_km": 2, "fee": 1}, {"up_to_km": 5, "fee": 3}], **STORE)
    ).status == 200
    await driver.send("POST", "/shift", {"status": "on"})
    await driver.send_location(38.7200, -9.1335)
    return driver


async def test_map_and_table_show_drivers_with_the_age_of_their_position(dashboard, kitchen, on_shift, path, clock):
    order = await kitchen.place_assigned(on_shift, address_lat=38.7250, address_lng=-9.1400)
    clock.advance(minutes=3)

    page = await dashboard.get(path)

    drawing = page[page.index('<svg class="driver-map"') : page.index('<ul class="map-legend"')]
    assert "Rui · 3 min" in drawing
    assert f">#{order['number']}</text>" in drawing
    assert "Delivery area up to 2 km" in drawing
    assert drawing.count('class="way"') == 1
    assert "3 minutes ago" in page
    assert "678 m from the store" in page
    assert "Rua da Prata 8" in page
    assert f'data-live="/dashboard{path}/live"' in page


async def test_live_part_follows_the_drivers(dashboard, on_shift, path, clock):
    before = await dashboard.get(f"{path}/live")
    clock.advance(minutes=11)
    old = await dashboard.get(f"{path}/live")
    await on_shift.send("POST", "/shift", {"status": "off"})
    after = await dashboard.get(f"{path}/live")

    assert "Rui · now" in before
    assert 'class="place driver old"' in old
    assert "Rui" not in after
    assert "Nobody is on shift" in after
    assert "<html" not in after


async def test_waiting_delivery_is_assigned_and_taken_back(dashboard, kitchen, on_shift, path):
    order = await kitchen.place_delivery()
    fields = {"order_id": str(order["id"]), "driver_id": str(on_shift.id)}
    assert f'action="/dashboard{path}/assign"' in await dashboard.get(path)

    assert await dashboard.post(f"{path}/assign", fields) == path
    assert (await kitchen.get_order(order))["driver"]["id"] == on_shift.id
    page = await dashboard.get(path)
    assert "No delivery waits for a driver." in page
    assert "Take back" in page

    assert await dashboard.post(f"{path}/release", fields) == path
    found = await kitchen.get_order(order)
    assert (found["driver"], found["delivery_status"]) == (None, "pending")


async def test_nobody_elses_order_or_driver_is_assigned(dashboard, kitchen, foreign, on_shift, path):
    order, theirs = await kitchen.place_delivery(), await foreign.place_delivery()
    stranger = await foreign.add_driver()

    for order_id, driver_id, status in (
        (theirs["id"], on_shift.id, 404),
        (order["id"], stranger.id, 404),
        (order["id"], "x", 303),
        ("", on_shift.id, 404),
    ):
        await dashboard.post(f"{path}/assign", {"order_id": order_id, "driver_id": driver_id}, status=status)
    await dashboard.post(f"{path}/release", {"order_id": theirs["id"]}, status=404)

    assert (await kitchen.get_order(order))["driver"] is None
    assert (await foreign.get_order(theirs))["driver"] is None


async def test_readers_of_drivers_see_neither_orders_nor_cash(app, owner, kitchen, on_shift, path):
    await kitchen.place_assigned(on_shift)
    reader = await sign_in(app, owner.id, scopes={"drivers:read"})

    page = await reader.get(path)

    assert "Rui" in page
    assert "Rua da Prata" not in page
    assert "Cash to hand in" not in page
    assert "New driver" not in page


async def test_store_without_a_position_says_where_to_enter_it(dashboard, kitchen, path):
    page = await dashboard.get(path)

    assert "No map yet" in page
    assert f"/dashboard/stores/{kitchen.id}/delivery-areas" in page
    assert re.search(r'href="/dashboard/stores/\d+/drivers"', page)
