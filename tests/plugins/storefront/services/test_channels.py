"""The order types that storefronts and agents offer."""

import pytest
from comanda.devkit.testing import line


@pytest.fixture
async def laundry(open_store):
    return await open_store("laundry")


@pytest.fixture
async def shirt(laundry):
    return await laundry.item("Shirt", 3)


async def test_storefront_takes_slots_and_visits_but_no_appointment(front_of, owner, laundry, shirt, count_orders):
    front = await front_of(owner, laundry.id)

    refused = await front.refused(line(shirt), type="appointment")

    assert refused["errors"] == {"type": ["This store takes: pickup_slot, in_store."]}
    assert await count_orders() == 0
    for mode in ("pickup_slot", "in_store"):
        assert (await front.order(line(shirt), type=mode))["status"] == "new"


async def test_agent_cannot_use_appointments(guest_of, owner, laundry, shirt, count_orders):
    guest = await guest_of(owner, laundry.id)

    modes = {mode["code"] for mode in (await guest.call("get_store", {}))["modes"]}
    refused = await guest.refused("create_cart", {"type": "appointment", "items": [line(shirt)]})

    assert modes == {"pickup_slot", "in_store"}
    assert refused["errors"] == {"type": ["This store takes: pickup_slot, in_store."]}
    made = await guest.call("create_cart", {"type": "in_store", "items": [line(shirt)]})
    changed = {"cart_id": made["cart_id"], "type": "appointment", "items": [line(shirt)]}
    assert (await guest.refused("update_cart", changed))["errors"] == refused["errors"]
    assert (await guest.call("check_availability", {"type": "appointment"}))["is_available"] is False
    assert await count_orders() == 0


async def test_store_page_asks_who_makes_an_appointment(client, laundry, shirt):
    slug = (await laundry.get())["slug"]

    answer = await client.post(
        f"/s/{slug}/orders",
        json={"type": "appointment", "items": [line(shirt)]},
        headers={"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 422
    assert sorted((await answer.get_json())["errors"]) == ["customer_name", "phone"]


async def test_owner_can_still_take_appointments(laundry, shirt):
    assert (await laundry.order(line(shirt), type="appointment"))["type"] == "appointment"
