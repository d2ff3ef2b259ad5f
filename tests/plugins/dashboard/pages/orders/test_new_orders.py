"""Orders that a store enters itself."""

import re

import pytest


@pytest.fixture
async def pizza(store):
    return await store.item(
        "Pizza",
        8,
        variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Toppings", "extras": [{"name": "Olives", "price": 1}]}],
    )


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/orders/new"


async def test_order_is_picked_priced_and_placed_once(dashboard, store, pizza, path):
    empty = await dashboard.get(path)
    key = re.search(r'name="client_uuid" value="([^"]+)"', empty).group(1)
    basic = {"client_uuid": key, "type": "takeaway", "customer_name": "Ana", "tip_amount": "0"}

    picked = await dashboard.post(path, {**basic, "_add": str(pizza["id"])}, status=200)

    assert f'name="items.0.item_id" value="{pizza["id"]}"' in picked
    assert "Olives" in picked
    lines = {
        "items.0.item_id": str(pizza["id"]),
        "items.0.quantity": "2",
        "items.0.variation": str(pizza["variations"][0]["id"]),
        "items.0.extras": str(pizza["extra_groups"][0]["extras"][0]["id"]),
        "items.0.note": "Well done",
    }
    assert "€26.00" in await dashboard.post(path, {**basic, **lines, "_update": "1"}, status=200)
    assert (await store.get("/orders"))["total"] == 0
    led_to = await dashboard.post(path, {**basic, **lines, "_place": "1"})
    assert await dashboard.post(path, {**basic, **lines, "_place": "1"}) == led_to
    orders = (await store.get("/orders"))["data"]
    assert [(order["total"], order["source"], order["customer_name"]) for order in orders] == [(26, "phone", "Ana")]
    assert led_to == f"/stores/{store.id}/orders/{orders[0]['id']}"


async def test_refused_order_keeps_its_values_beside_the_errors(dashboard, store, pizza, path):
    fields = {"type": "delivery", "phone": "123", "items.0.item_id": str(pizza["id"]), "items.0.quantity": "1"}

    page = await dashboard.post(path, {**fields, "address": "", "_place": "1"}, status=422)

    assert 'value="123"' in page
    assert re.search(r'name="address"[^>]*aria-invalid="true"', page)
    assert (await store.get("/orders"))["total"] == 0


async def test_lines_are_removed_and_items_found_by_name(dashboard, store, pizza, path):
    await store.item("Soup", 5)
    fields = {"type": "takeaway", "items.0.item_id": str(pizza["id"]), "items.0.quantity": "1"}

    page = await dashboard.post(path, {**fields, "_remove": "0", "_search": "sou"}, status=200)

    assert "items.0.item_id" not in page
    assert "Add Soup" in page
    assert "Add Pizza" not in page


async def test_what_a_guest_must_not_eat_is_held_against_the_lines_and_taken_over(dashboard, store, path):
    satay = await store.item("Satay", 9, has_allergen_information=True, allergens=["peanuts"])
    lines = {"items.0.item_id": str(satay["id"]), "items.0.quantity": "1"}
    avoided = {"avoid_allergens": ["peanuts", "milk"], "restrictions_consent": "true"}
    fields = {"type": "takeaway", **lines, **avoided}

    assert "Satay contains: Peanuts." in await dashboard.post(path, {**fields, "_update": "1"}, status=422)
    assert "Satay contains: Peanuts." in await dashboard.post(path, {**fields, "_place": "1"}, status=422)
    assert (await store.get("/orders"))["total"] == 0
    await dashboard.post(path, {**fields, "restrictions_override": "Made without the sauce", "_place": "1"})

    [order] = (await store.get("/orders"))["data"]
    placed = await store.get(f"/orders/{order['id']}")
    assert placed["avoid_allergens"] == ["peanuts", "milk"]
    assert placed["restrictions_override"] == "Made without the sauce"
