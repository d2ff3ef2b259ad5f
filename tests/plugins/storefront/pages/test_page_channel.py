"""The ways in which guests order on a store's page, beyond those of the storefront API."""

import json

import pytest
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql

ADDRESS = "Rua da Prata 8, 1100-420 Lisboa"
GUEST = {"customer_name": "Ada", "phone": "+351912345678"}


@pytest.fixture
def open_page(client, owner, page_guest_of):
    """Open the page of a new store of a vertical."""

    async def create(vertical):
        store = TestStore(client, owner, await owner.store(vertical))
        slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)
        return page_guest_of(store, slug)

    return create


async def set_terms(page, **terms):
    reply = await page.store.send("PUT", "/delivery-terms", terms)
    assert reply.status == 200, reply


async def test_delivery_is_priced_and_placed(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    await set_terms(page_guest, fee=2.5)
    fields = {"type": "delivery", "address": ADDRESS, "phone": "+351912345678", "address_instructions": "Ring"}

    _, quote = await page_guest.quote(line(soup), **fields)
    response, placed = await page_guest.order(line(soup), **fields, expected_total=7.5)

    assert (quote["total"], quote["problems"]) == (7.5, {})
    assert (response.status_code, placed["total"]) == (201, 7.5)
    order = await page_guest.store.get(f"/orders/{placed['id']}")
    assert (order["type"], order["address"], order["address_instructions"]) == ("delivery", ADDRESS, "Ring")
    assert (order["delivery_fee"], order["source"], order["customer_id"]) == (2.5, "storefront", None)


async def test_delivery_answers_at_the_right_fields(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    await set_terms(page_guest, lat=38.7139, lng=-9.1335, bands=[{"up_to_km": 2, "fee": 1.9}], min_order=12)

    response, refused = await page_guest.order(line(soup), type="delivery")
    _, quote = await page_guest.quote(
        line(soup), type="delivery", phone="1", address="Far away", address_lat=40.0, address_lng=-9.0
    )

    assert response.status_code == 422
    assert sorted(refused["errors"]) == ["address", "items", "phone"]
    assert quote["problems"] == {
        "address": ["This store delivers up to 2 km; this address is farther away."],
        "items": ["The minimum order for delivery is 12.00 EUR; these items total 5.00 EUR."],
    }
    assert await page_guest.orders() == 0


async def test_owner_takes_delivery_from_the_page(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    fields = {"type": "delivery", "address": ADDRESS, "phone": "1"}

    assert (await page_guest.store.send("PUT", "/settings/storefront", {"offers_delivery": False})).status == 200
    response, refused = await page_guest.order(line(soup), **fields)
    assert (response.status_code, list(refused["errors"])) == (422, ["type"])
    await page_guest.store.send("PUT", "/settings/storefront", {"offers_delivery": True})

    assert (await page_guest.order(line(soup), **fields))[0].status_code == 201


@pytest.mark.parametrize("kind", ["delivery", "room_service"])
async def test_storefront_api_offers_what_it_did(front, soup, kind):
    refused = await front.refused(line(soup), type=kind, address=ADDRESS, phone="1", room_number="7")

    assert list(refused["errors"]) == ["type"]


async def test_room_service_is_offered_where_it_comes_first(page_guest, open_page):
    soup = await page_guest.store.item("Soup", 5)
    hotel = await open_page("hotel")
    toast = await hotel.store.item("Toast", 4)

    _, refused = await page_guest.order(line(soup), type="room_service", room_number="7")
    _, quote = await hotel.quote(line(toast), type="room_service", customer_name=None)

    assert list(refused["errors"]) == ["type"]
    assert quote["problems"] == {
        "room_number": ["Room number is required for room service orders."],
        "customer_name": ["The name of a guest of the room is required."],
    }


async def test_shipping_needs_a_recipient_and_costs_its_rate(open_page):
    page = await open_page("carparts")
    filter_ = await page.store.item("Oil filter", 9)
    await page.store.send("PUT", "/settings/shipping", {"rate": 4.9})

    _, refused = await page.order(line(filter_), type="ship", customer_name=None)
    response, placed = await page.order(line(filter_), type="ship", address=ADDRESS, **GUEST)

    assert sorted(refused["errors"]) == ["address", "customer_name", "phone"]
    assert (response.status_code, placed["total"]) == (201, 13.9)
    assert (await page.store.get(f"/orders/{placed['id']}"))["address_missing"] is False


async def test_appointment_needs_a_name_and_a_phone(open_page):
    page = await open_page("laundry")
    shirt = await page.store.item("Shirt", 3)

    _, refused = await page.order(line(shirt), type="appointment", customer_name=None)
    response, placed = await page.order(line(shirt), type="appointment", **GUEST)

    assert sorted(refused["errors"]) == ["customer_name", "phone"]
    assert response.status_code == 201, placed
    assert (await page.store.get(f"/orders/{placed['id']}"))["scheduled_for"] is not None


async def test_page_says_what_each_mode_asks(page_guest):
    await page_guest.store.item("Soup", 5)

    html = await (await page_guest.store.client.get(f"/s/{page_guest.slug}")).get_data(as_text=True)

    start = html.index(">", html.index('id="shop-data"')) + 1
    modes = {mode["code"]: mode for mode in json.loads(html[start : html.index("</script>", start)])["modes"]}
    assert list(modes) == ["on-table", "takeaway", "delivery"]
    assert modes["delivery"]["required"] == ["phone"]
    assert [(each["name"], each.get("required", False)) for each in modes["delivery"]["fields"]] == [
        ("address", True), ("address_lat", False), ("address_lng", False), ("address_postcode", False),
        ("address_instructions", False),
    ]  # fmt: skip
    assert modes["takeaway"]["required"] == ["customer_name"]
