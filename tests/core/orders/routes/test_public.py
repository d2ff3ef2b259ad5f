"""Tracking of orders."""

import pytest
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql

FIELDS = {"id", "status", "delivery_status", "is_paid", "total", "amount_due", "charges", "timeline", "items"}


@pytest.fixture
async def order(store):
    soup, bread = await store.item("Soup", 5), await store.item("Bread", 1)
    return await store.order(line(soup, 2), line(bread, 1, note="warm"), customer_name="Zoë", phone="+351 1")


async def track(client, token):
    return await client.get(f"/api/v1/track/{token}")


async def test_tracking_shows_no_personal_data(client, order):
    response = await track(client, order["track_token"])

    record = await response.get_json()
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    assert record == {
        "id": order["id"],
        "status": "new",
        "delivery_status": None,
        "is_paid": False,
        "total": 11,
        "amount_due": 11,
        "charges": [],
        "timeline": {"created_at": order["created_at"]},
        "items": [{"name": "Soup", "quantity": 2}, {"name": "Bread", "quantity": 1}],
    }
    assert record.keys() == FIELDS


async def test_tracking_follows_the_kitchen(client, store, order):
    changed = await store.set_status(order["id"], "ready")

    record = await (await track(client, order["track_token"])).get_json()

    assert (record["status"], record["timeline"]) == ("ready", changed["timeline"])


async def test_tracking_shows_the_delivery_status(client, store):
    order = await store.order(line(await store.item()), type="delivery", address="Rua 1")

    assert (await (await track(client, order["track_token"])).get_json())["delivery_status"] == "pending"


@pytest.mark.parametrize("token", ["x", "0" * 43, "%00", "a" * 5000, "ключ"])
async def test_unknown_token_is_404(client, order, token):
    response = await track(client, token)

    assert (response.status_code, (await response.get_json())["code"]) == (404, "not_found")


async def test_a_token_in_other_letters_is_another_token(client, order):
    response = await track(client, order["track_token"].swapcase())

    assert response.status_code == 404


@pytest.mark.parametrize("status", ["delivered", "completed", "cancelled"])
async def test_ended_order_can_be_tracked_for_thirty_days(client, store, order, clock, status):
    clock.advance(days=200)
    await store.set_status(order["id"], status)

    clock.advance(days=29, hours=23)
    last = await track(client, order["track_token"])
    clock.advance(hours=1)
    gone = await track(client, order["track_token"])

    assert (last.status_code, gone.status_code) == (200, 404)
    # Its owner keeps it.
    assert (await store.get(f"/orders/{order['id']}"))["status"] == status


async def test_open_order_can_be_tracked_indefinitely(client, order, clock):
    clock.advance(days=400)

    assert (await track(client, order["track_token"])).status_code == 200


async def test_reopened_order_can_be_tracked_again(client, store, order, clock):
    await store.set_status(order["id"], "completed")
    clock.advance(days=31)
    await store.set_status(order["id"], "preparing")

    assert (await track(client, order["track_token"])).status_code == 200


async def test_suspended_owners_orders_cannot_be_tracked(client, owner, order):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await track(client, order["track_token"])).status_code == 404
