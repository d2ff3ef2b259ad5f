"""The routes of the storefront API."""

import json

import pytest
from comanda.devkit.testing import line


async def test_dine_in_order_requires_table_number(front, store, soup, count_orders):
    refused = await front.refused(line(soup), type="on-table")
    assert list(refused["errors"]) == ["table_number"]
    assert await count_orders() == 0

    placed = await front.order(line(soup), type="on-table", table_number=4)
    assert (await store.get(f"/orders/{placed['id']}"))["table_number"] == "4"


async def test_token_orders_in_its_own_store_only(front_of, owner, other_owner, other_store, store, soup, count_orders):
    theirs = await front_of(other_owner, other_store.id)

    refused = await theirs.refused(line(soup), restaurant_id=store.id)

    assert list(refused["errors"]) == ["items.0.item_id"]
    elsewhere = await front_of(owner, await owner.store())
    assert list((await elsewhere.refused(line(soup)))["errors"]) == ["items.0.item_id"]
    assert await count_orders() == 0


@pytest.mark.parametrize("scope", ["menu:read", "agent"])
async def test_ordering_requires_its_scope(front_of, owner, store, soup, client, count_orders, scope):
    refused = await (await front_of(owner, store.id, scope)).refused(line(soup))

    assert (refused["code"], refused["required"]) == ("forbidden", "order:write")
    body = {"type": "takeaway", "items": [line(soup)]}
    assert (await client.post("/api/v1/storefront/orders", json=body, headers=owner.auth)).status_code == 401
    assert (await client.post("/api/v1/storefront/orders", json=body)).status_code == 401
    assert await count_orders() == 0


async def test_hidden_or_suspended_store_takes_no_orders(front, store, soup, owner, suspend, count_orders):
    await front.order(line(soup), key="k")
    await store.send("PUT", "/settings", {"is_published": False})
    assert (await front.refused(line(soup)))["code"] == "not_found"

    await store.send("PUT", "/settings", {"is_published": True})
    await suspend(owner)

    assert (await front.refused(line(soup)))["code"] == "not_found"
    assert await count_orders() == 1


INVALID_BODIES = [b"[", b"[]", b'"x"', b"null", b'{"type": 1}', b'{"items": {}}', b"\xff", b""]


async def test_invalid_body_returns_422(front, store, count_orders, subtests):
    for raw in INVALID_BODIES:
        with subtests.test(raw=raw):
            response = await front.client.post(
                "/api/v1/storefront/orders", headers={**front.auth, "Content-Type": "application/json"}, data=raw
            )

            assert response.status_code in {400, 422}
            assert await count_orders() == 0


WHOLE = {
    "type": "on-table", "customer_name": "x", "phone": "x", "address": "x", "table_number": "4", "room_number": "9",
    "tip_amount": 1, "note": "x", "source": "x", "scheduled_for": "2030-01-01T00:00:00Z", "client_uuid": "x",
    "coupon_code": "x",
}  # fmt: skip


NASTY = [
    None, True, 0, -1, 2**53, 2**63, 10**400, 1e308, float("nan"), "", "\x00", "a\x00b", "\ud800", "\u202e", "x" * 5000,
    "9999-12-31T23:59:59-14:00", "2026-01-01T00:00:00", [], [[]], [None], {}, {"\x00": 1}, [{}] * 50,
]  # fmt: skip


@pytest.mark.parametrize("place", [*WHOLE, "items", "item_id", "quantity", "variation", "extras", "other"])
async def test_no_value_of_body_causes_server_error(front, soup, place):
    for value in NASTY:
        body = {**WHOLE, "items": [line(soup)], place: value}
        if place in {"item_id", "quantity", "variation", "extras"}:
            body["items"] = [{**line(soup), place: value}]
        response = await front.client.post(
            "/api/v1/storefront/orders",
            headers={**front.auth, "Content-Type": "application/json"},
            data=json.dumps(body).encode(),
        )
        assert response.status_code in {201, 400, 422}, value
