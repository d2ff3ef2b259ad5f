import asyncio
import json

import pytest
from comanda.platform.db import sql

from tests.plugins.deliverect.fake_deliverect import ordered, sign


async def count_links(store):
    return await sql.fetch_value("SELECT count(*) FROM deliverect_order WHERE store_id = $1", store.id)


async def test_webhook_stores_the_order_and_asks_nobody(store, soup_order):
    asked = len(store.fake.requests)

    response = await store.post(soup_order)

    assert (response.status_code, await response.get_json()) == (200, {"result": "OK"})
    assert (await store.find(soup_order))["state"] == "waiting"
    assert (len(store.fake.requests), await store.count_orders()) == (asked, 0)


async def test_eight_same_orders_at_once_are_one(store, soup_order):
    answers = await asyncio.gather(*[store.post(soup_order) for _ in range(8)])

    found = await store.work(soup_order)

    assert [answer.status_code for answer in answers] == [200] * 8
    assert (found["state"], await store.count_orders(), await count_links(store)) == ("placed", 1, 1)


async def test_replayed_order_is_not_placed_again(store, soup_order):
    first = await store.receive(soup_order)

    second = await store.receive(soup_order)

    assert first == second
    assert await store.count_orders() == 1
    assert store.fake.list_statuses(soup_order["_id"]) == [20]


@pytest.mark.parametrize("headers", [
    {}, {"X-Server-Authorization-HMAC-SHA256": "0" * 64}, {"X-Server-Authorization-HMAC-SHA256": "ü"},
    {"X-Server-Authorization-HMAC-SHA256": ""},
])  # fmt: skip
async def test_forged_order_is_404(store, soup_order, headers):
    response = await store.post(soup_order, {"Content-Type": "application/json", **headers})

    assert (response.status_code, await count_links(store)) == (404, 0)


async def test_signature_of_another_body_is_404(store, soup_order):
    response = await store.post(soup_order, sign(b"{}"))

    assert (response.status_code, await count_links(store)) == (404, 0)


async def test_order_of_another_location_is_404(store, soup_order):
    response = await store.post({**soup_order, "location": "another"})

    assert (response.status_code, await count_links(store)) == (404, 0)


async def test_unknown_connection_is_404(store, client, soup_order):
    body = json.dumps(soup_order).encode()

    response = await client.post("/api/v1/deliverect/1/999999/orders", data=body, headers=sign(body))

    assert response.status_code == 404


@pytest.mark.parametrize("body", [
    b"", b"[]", b"{", b"\xff", b"null", b"[" * 100_000, b"{}", b'{"_id": 7}', b'{"_id": "../x"}', b'{"_id": {}}',
])  # fmt: skip
async def test_signed_nonsense_is_refused(store, body):
    response = await store.post(None, body=body)

    assert (response.status_code, await count_links(store)) == (400, 0)


async def test_too_large_order_is_refused(store, soup_order):
    response = await store.post({**soup_order, "note": "x" * 600_000})

    assert response.status_code in {400, 413}
    assert await count_links(store) == 0


async def test_nul_and_nested_values_are_stored(store):
    nested = {"a": None}
    for _ in range(300):
        nested = {"a": nested}
    order = store.add_order(ordered(store.soup_ref, remark="no\0 salt"), nested=nested)

    found = await store.receive(order)

    assert (await store.find_order(found))["items"][0]["note"] == "no salt"
