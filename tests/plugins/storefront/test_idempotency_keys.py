"""Short keys of guests."""

import asyncio

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql

LONG = "0123456789abcdef"


REPLAYED, MISMATCH = "Idempotent-Replayed", "Idempotency-Mismatch"


@pytest.mark.parametrize("where", ["header", "body", "both"])
async def test_second_guest_with_same_short_key_gets_own_order(front, soup, count_orders, where):
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
async def test_same_guest_with_short_key_gets_first_order(front, soup, count_orders, key):
    first = await front.order(line(soup), customer_name="Ada", **key)
    status, again, headers = await front.post(line(soup), customer_name="Ada", **key)

    assert (status, again) == (201, first)
    assert (headers[REPLAYED], MISMATCH in headers) == ("true", False)
    assert await count_orders() == 1


async def test_reformatted_body_counts_as_same(front, soup, count_orders, client):
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
async def test_long_key_returns_first_order_for_any_body(front, soup, count_orders, key):
    first = await front.order(line(soup), customer_name="Ada", **key)
    status, again, headers = await front.post(line(soup), customer_name="Ben", **key)

    assert (status, again) == (201, first)
    assert (headers[REPLAYED], headers[MISMATCH]) == ("true", "true")
    assert await count_orders() == 1


async def test_short_key_of_owner_returns_first_order(store, soup, count_orders):
    first = await store.place(line(soup), key="123", customer_name="Ada")
    again = await store.place(line(soup), key="123", customer_name="Ben")

    assert again["id"] == first["id"]
    assert await count_orders() == 1


async def test_concurrent_guests_with_one_short_key_get_own_orders(front, soup, count_orders):
    names = [f"Guest {number % 5}" for number in range(50)]

    placed = await asyncio.gather(*(front.order(line(soup), customer_name=name, key="1") for name in names))

    by_name = {
        name: {order["id"] for guest, order in zip(names, placed, strict=True) if guest == name} for name in names
    }
    assert [len(ids) for ids in by_name.values()] == [1] * 5
    assert len(set().union(*by_name.values())) == await count_orders() == 5


async def test_order_shows_key_as_sent(front, store, soup):
    placed = await front.order(line(soup), client_uuid="till-7")

    assert (await store.get(f"/orders/{placed['id']}"))["client_uuid"] == "till-7"


async def test_longest_short_key_fits_column(front, soup):
    placed = await front.order(line(soup), key="k" * 15, client_uuid="ü" * 15)

    row = await sql.fetch_one("SELECT idempotency_key, client_uuid FROM core_order WHERE id = $1", placed["id"])
    assert [len(key) for key in row] == [80, 80]


async def test_short_key_of_agent_counts_with_cart(guest, front, soup, count_orders):
    await front.order(line(soup), key="k")
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})

    placed = await guest.call("place_order", {"cart_id": made["cart_id"], "idempotency_key": "k"})

    assert placed["messages"] == []
    assert await count_orders() == 2
