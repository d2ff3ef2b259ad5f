"""Erasure of a customer."""

import orjson
import pytest
from comanda.devkit.testing import line
from comanda.orders import placement
from route_requests import everything_of

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
    """Search every column of every table for what is known of Ada."""
    return {
        f"{table}.{column}"
        for table, rows in (await everything_of(owner)).items()
        for row in rows
        for column, value in orjson.loads(row).items()
        if any(trace in str(value).lower() for trace in TRACES)
    }


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


REFUSED_PROOFS = [
    ({}, 422),
    ({"password": "wrong horse"}, 401),
    ({"code": "000000"}, 422),
    ({"password": None}, 422),
]


async def test_erasure_requires_password_or_code(customer_with_data, read_customers, owner, subtests):
    before, traces = await read_customers(), await find_traces(owner)

    for body, status in REFUSED_PROOFS:
        with subtests.test(body=body):
            assert (await customer_with_data.send("DELETE", "/me", body)).status == status
            assert await read_customers() == before
            assert await find_traces(owner) == traces
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
