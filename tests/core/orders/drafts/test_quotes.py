"""Quotes of orders: the figures of the order that is placed afterwards, and its refusals."""

from comanda.devkit.testing.stores import line
from comanda.platform.db import sql

SHARED = ("type", "currency", "subtotal", "discount_total", "service_charge", "delivery_fee", "charges", "tax_total")


async def test_quote_equals_the_order_placed_afterwards(store):
    soup = await store.item("Soup", 5)
    body = {"type": "takeaway", "tip_amount": 1.5, "items": [line(soup, 2, note="Hot")]}

    quote = (await store.send("POST", "/orders/quote", body)).document

    assert await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", store.id) == 0
    order = (await store.send("POST", "/orders", body)).document
    assert {name: quote[name] for name in (*SHARED, "total")} == {name: order[name] for name in (*SHARED, "total")}
    assert quote["total"] == 11.5
    assert [(each["name"], each["quantity"], each["note"], each["line_total"]) for each in quote["items"]] == [
        ("Soup", 2, "Hot", 10)
    ]


async def test_quote_of_an_impossible_order_names_the_fields(store):
    refused = await store.send("POST", "/orders/quote", {"type": "delivery", "items": [{"item_id": 999999999}]})

    assert refused.status == 422
    assert {"items.0.item_id", "address"} <= set(refused.document["errors"])


async def test_quote_in_a_store_of_another_owner_returns_404(client, other_owner, store):
    soup = await store.item("Soup", 5)
    body = {"type": "takeaway", "items": [line(soup)]}

    response = await client.post(f"/api/v1/restaurants/{store.id}/orders/quote", json=body, headers=other_owner.auth)

    assert response.status_code == 404
