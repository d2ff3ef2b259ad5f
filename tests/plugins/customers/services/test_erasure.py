"""Erasure of a customer."""

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda.orders import placement

PHONE = "+351912345678"


TRACES = (
    "lovelace",
    "ada@example.com",
    "912345678",
    "912 345 678",
    "prata 8",
    "ring twice",
    "no onions",
    "ada's phone",
)


async def find_traces(owner):
    """Search every column of text or JSON of every table for what is known of Ada."""
    columns = await sql.fetch(
        """SELECT c.table_name AS name, c.column_name AS column FROM information_schema.columns c
           JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = c.table_schema
           WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
             AND c.data_type IN ('text', 'character varying', 'jsonb', 'json', 'ARRAY')
             AND EXISTS (SELECT FROM information_schema.columns o WHERE o.table_schema = 'public'
                         AND o.table_name = c.table_name AND o.column_name = 'owner_id')"""
    )
    found = set()
    for column in columns:
        name = f"{column['name']}.{column['column']}"
        statement = f'SELECT "{column["column"]}"::text AS text FROM "{column["name"]}" WHERE owner_id = $1'
        for row in await sql.fetch(statement, owner.id):
            if any(trace in (row["text"] or "").lower() for trace in TRACES):
                found.add(name)
    return found


@pytest.mark.parametrize("by", ["password", "code", "owner"])
async def test_erasure_leaves_only_amounts(customer_with_data, store, owner, make_shopper, dispatch, published, by):
    assert {"core_order.customer_name", "customers_guest.name", "customers_customer.email"} <= await find_traces(owner)
    if by == "owner":
        reply = await store.send("DELETE", f"/customers/{customer_with_data.id}")
    else:
        proof = (
            await customer_with_data.request_code(email="ada@example.com", purpose="proof") if by == "code" else None
        )
        body = {"code": proof} if proof else {"password": "correct horse"}
        reply = await customer_with_data.send("DELETE", "/me", body)
    await dispatch()

    assert reply.status == 204
    assert await find_traces(owner) == set()
    assert (await published())[-1] == ("customer.erased", {"id": customer_with_data.id, "restaurant_id": store.id})
    order = (await store.get(f"/orders/{customer_with_data.order['id']}")).document
    assert (order["customer_name"], order["phone"], order["address"], order["note"]) == (
        "deleted customer", None, None, None,
    )  # fmt: skip
    assert (order["total"], order["customer_id"], order["items"][0]["note"]) == (10, customer_with_data.id, None)
    assert (await customer_with_data.send("GET", "/me")).status == 401
    assert (await make_shopper().call_public("login", email="ada@example.com", password="correct horse")).status == 401
    assert (await store.send("GET", f"/customers/{customer_with_data.id}")).status == 404
    assert (await store.send("DELETE", f"/customers/{customer_with_data.id}")).status == 404
    assert (await store.get("/customers"))["data"] == []


async def test_erased_phone_becomes_new_customer(customer_with_data, make_shopper, store):
    await store.send("DELETE", f"/customers/{customer_with_data.id}")

    reply = await make_shopper().log_in_by_code(phone=PHONE)

    assert reply["created"] is True
    assert reply["customer"]["id"] != customer_with_data.id


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 422), ({"password": "wrong horse"}, 401), ({"code": "000000"}, 422), ({"password": None}, 422)],
)
async def test_erasure_requires_password_or_code(customer_with_data, read_customers, owner, body, status):
    before, orders = await read_customers(), await find_traces(owner)

    assert (await customer_with_data.send("DELETE", "/me", body)).status == status
    assert await read_customers() == before
    assert await find_traces(owner) == orders
    assert (await customer_with_data.send("GET", "/me")).status == 200


async def test_order_placed_during_erasure_is_anonymized(customer_with_data, store, soup, owner, monkeypatch):
    place = placement.place_order

    async def erased_meanwhile(*order):
        assert (await store.send("DELETE", f"/customers/{customer_with_data.id}")).status == 204
        return await place(*order)

    monkeypatch.setattr(placement, "place_order", erased_meanwhile)
    placed = await customer_with_data.send(
        "POST", "/orders", {"type": "takeaway", "items": [line(soup)], "note": "Ring twice"}
    )

    assert (await store.get(f"/orders/{placed['id']}"))["customer_name"] == "deleted customer"
    assert await find_traces(owner) == set()
