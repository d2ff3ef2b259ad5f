"""Guests are strangers to each other: a key that two of them could choose does not lead to the other's order."""

import asyncio

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line

LONG = "0123456789abcdef"
REPLAYED, MISMATCH = "Idempotent-Replayed", "Idempotency-Mismatch"


@pytest.mark.parametrize("where", ["header", "body", "both"])
async def test_a_second_guest_with_the_same_short_key_gets_an_order_of_their_own(front, soup, count_orders, where):
    key = {"header": {"key": "123"}, "body": {"client_uuid": "123"}, "both": {"key": "123", "client_uuid": "456"}}[
        where
    ]

    ada = await front.order(line(soup), customer_name="Ada", **key)
    status, ben, headers = await front.post(line(soup), customer_name="Ben", **key)

    assert status == 201
    assert ben["id"] != ada["id"]
    assert ben["track_token"] != ada["track_token"]
    assert {REPLAYED, MISMATCH} & set(headers.keys()) == set()
    assert await count_orders() == 2


@pytest.mark.parametrize("key", [{"key": "123"}, {"client_uuid": "123"}, {"key": LONG[1:]}])
async def test_the_same_guest_who_repeats_a_short_key_gets_the_first_order(front, soup, count_orders, key):
    first = await front.order(line(soup), customer_name="Ada", **key)
    status, again, headers = await front.post(line(soup), customer_name="Ada", **key)

    assert (status, again) == (201, first)
    assert (headers[REPLAYED], MISMATCH in headers) == ("true", False)
    assert await count_orders() == 1


async def test_the_same_body_written_otherwise_is_the_same_body(front, soup, count_orders, client):
    bodies = (
        '{"type": "takeaway", "items": [{"item_id": %d, "quantity": 1}], "note": "é"}',
        '{"items":[{"quantity":1,"item_id":%d}],"note":"\\u00e9","type":"takeaway"}',
    )
    headers = {**front.auth, "Idempotency-Key": "123", "Content-Type": "application/json"}

    placed = [
        await client.post("/api/v1/storefront/orders", headers=headers, data=body.replace("%d", str(soup["id"])))
        for body in bodies
    ]

    assert [response.status_code for response in placed] == [201, 201]
    assert len({(await response.get_json())["id"] for response in placed}) == 1
    assert await count_orders() == 1


@pytest.mark.parametrize("key", [{"key": LONG}, {"client_uuid": LONG}])
async def test_a_long_key_leads_to_the_first_order_whatever_the_body(front, soup, count_orders, key):
    first = await front.order(line(soup), customer_name="Ada", **key)
    status, again, headers = await front.post(line(soup), customer_name="Ben", **key)

    assert (status, again) == (201, first)
    assert (headers[REPLAYED], headers[MISMATCH]) == ("true", "true")
    assert await count_orders() == 1


async def test_a_short_key_of_an_owner_leads_to_the_first_order_whatever_the_body(store, soup, count_orders):
    first = await store.place(line(soup), key="123", customer_name="Ada")
    again = await store.place(line(soup), key="123", customer_name="Ben")

    assert again["id"] == first["id"]
    assert await count_orders() == 1


async def test_fifty_guests_of_five_with_one_short_key_at_once_are_five_orders(front, soup, count_orders):
    names = [f"Guest {number % 5}" for number in range(50)]

    placed = await asyncio.gather(*(front.order(line(soup), customer_name=name, key="1") for name in names))

    by_name = {
        name: {order["id"] for guest, order in zip(names, placed, strict=True) if guest == name} for name in names
    }
    assert [len(ids) for ids in by_name.values()] == [1] * 5
    assert len(set().union(*by_name.values())) == await count_orders() == 5


async def test_an_order_shows_the_key_as_it_was_sent(front, store, soup):
    placed = await front.order(line(soup), client_uuid="till-7")

    assert (await store.get(f"/orders/{placed['id']}"))["client_uuid"] == "till-7"


async def test_the_longest_short_key_fits_the_column(front, soup):
    placed = await front.order(line(soup), key="k" * 15, client_uuid="ü" * 15)

    row = await sql.fetch_one("SELECT idempotency_key, client_uuid FROM core_order WHERE id = $1", placed["id"])
    assert [len(key) for key in row] == [80, 80]


async def test_an_agents_short_key_counts_together_with_the_cart(guest, front, soup, count_orders):
    await front.order(line(soup), key="k")
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})

    placed = await guest.call("place_order", {"cart_id": made["cart_id"], "idempotency_key": "k"})

    assert placed["messages"] == []
    assert await count_orders() == 2
