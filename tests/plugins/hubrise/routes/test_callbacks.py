import pytest
from comanda.platform.db import sql

from tests.plugins.hubrise.fake_hubrise import create_event, sign


async def count_links(store):
    return await sql.fetch_value("SELECT count(*) FROM hubrise_order WHERE store_id = $1", store.id)


async def test_callback_only_wakes_a_row(store, soup_order):
    asked = len(store.fake.requests)

    response = await store.call_back(soup_order)

    assert response.status_code == 204
    assert len(store.fake.requests) == asked
    assert (await store.find(soup_order))["state"] == "waiting"
    assert await store.count_orders() == 0


@pytest.mark.parametrize("header", [{"X-HubRise-Hmac-SHA256": "0" * 64}, {"X-HubRise-Hmac-SHA256": "ü"}, {}])
async def test_callback_without_the_signature_is_404(store, soup_order, header):
    response = await store.call_back(soup_order, headers={"Content-Type": "application/json", **header})

    assert response.status_code == 404
    assert await count_links(store) == 0


async def test_signature_of_another_secret_is_404(store, soup_order):
    body = create_event(soup_order)

    response = await store.call_back(soup_order, body=body, headers=sign(body, "another-secret"))

    assert response.status_code == 404
    assert await count_links(store) == 0


async def test_callback_of_unknown_connection_is_404(store, client, soup_order):
    body = create_event(soup_order)

    response = await client.post("/api/v1/hubrise/1/999999/callback", data=body, headers=sign(body))

    assert response.status_code == 404


@pytest.mark.parametrize("fields", [
    {"resource_type": "customer"}, {"location_id": "another"}, {"order_id": None}, {"order_id": "../../location"},
    {"order_id": 7}, {"order_id": "x" * 41}, {"order_id": {"id": "o1"}}, {"location_id": []}, {"resource_type": {}},
])  # fmt: skip
async def test_callback_about_something_else_is_ignored(store, soup_order, fields):
    response = await store.call_back(soup_order, body=create_event(soup_order, **fields))

    assert response.status_code == 204
    assert await count_links(store) == 0


@pytest.mark.parametrize("body", [b"", b"[]", b'"order"', b"{", b"\xff", b"null", b"[" * 100_000])
async def test_signed_nonsense_is_refused(store, soup_order, body):
    response = await store.call_back(soup_order, body=body)

    assert response.status_code == 400
    assert await count_links(store) == 0


async def test_too_large_callback_is_refused(store, soup_order):
    response = await store.call_back(soup_order, body=create_event(soup_order, filler="x" * 600_000))

    assert response.status_code in {400, 413}
    assert await count_links(store) == 0
