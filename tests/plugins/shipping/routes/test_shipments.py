"""The routes of shipments."""

import pytest
from comanda.devkit.testing import TestStore


@pytest.mark.parametrize("key", ["", "a b", "x" * 256])
async def test_invalid_key_returns_422(shop, key):
    reply = await shop.request_shipment(await shop.create_order(), key=key)

    assert list(reply.errors) == ["Idempotency-Key"]
    assert await shop.list_shipments() == []


async def test_shipment_of_other_store_returns_404(shop, owner, client):
    order = await shop.create_order()
    made = await shop.create_shipment(order, {0: 1})
    other = TestStore(client, owner, await owner.store("mail_order"))
    calls = [
        ("GET", f"/shipments/{made['id']}", None),
        ("PUT", f"/shipments/{made['id']}", {"status": "delivered"}),
        ("GET", f"/orders/{order['id']}/shipment", None),
        ("POST", f"/orders/{order['id']}/shipments", {}),
    ]

    replies = [await other.send(*call) for call in calls]

    assert [reply.status for reply in replies] == [404] * 4
    assert (await other.get("/shipments"))["total"] == 0
    assert await shop.list_shipments() == [made]
