"""What guests have to say when they order on a store's page."""

import pytest
from comanda.devkit.testing import line

HEADERS = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


async def order_on_page(store, **fields):
    item = await store.item("Soup")
    slug = (await store.get())["slug"]
    response = await store.client.post(f"/s/{slug}/orders", json={"items": [line(item)], **fields}, headers=HEADERS)
    return response.status_code, (await response.get_json()).get("errors", {})


@pytest.mark.parametrize(
    ("store_type", "mode", "missing"),
    [
        (
            "restaurant",
            "takeaway",
            {"customer_name": ["A name is required, so that the store knows whose order it is."]},
        ),
        (
            "retail",
            "pickup_slot",
            {"customer_name": ["A name is required, so that the store knows whose order it is."]},
        ),
        (
            "laundry",
            "in_store",
            {
                "customer_name": ["A name is required, so that the store knows whose order it is."],
                "phone": ["A phone number is required, in case the store has a question."],
            },
        ),
    ],
)
async def test_guest_says_who_fetches_the_order(open_store, store_type, mode, missing):
    store = await open_store(store_type)

    assert await order_on_page(store, type=mode) == (422, missing)
    assert await order_on_page(store, type=mode, customer_name="Ana", phone="912345678") == (201, {})


async def test_owner_does_without_names_and_phones(open_store):
    store = await open_store("laundry")
    settings = {"asks_for_name": False, "asks_for_phone": False}
    assert (await store.send("PUT", "/settings/storefront", settings)).status == 200

    assert await order_on_page(store, type="in_store") == (201, {})


async def test_guest_at_the_table_and_clients_of_the_api_say_no_name(open_store):
    store = await open_store("restaurant")

    assert await order_on_page(store, type="on-table", table_number="4") == (201, {})
    assert (await store.order(line(await store.item("Tea"))))["customer_name"] is None
