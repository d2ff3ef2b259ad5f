"""A guest's browser and the page of an order, from the press of the button to what the browser shows."""

from base64 import urlsafe_b64decode

import pytest
from comanda.devkit.testing import line, process_queue
from comanda.platform.db import sql
from comanda_notifications.services.sender import QUEUES
from cryptography.hazmat.primitives.asymmetric import ec

[PUSH] = [queue for queue in QUEUES if queue.name.endswith("push")]


@pytest.fixture
async def order(store):
    return await store.order(line(await store.item("Soup", price=10)))


@pytest.fixture
def change(client, order):
    """Register or unregister a browser and return the response."""

    async def send(action, token, track_token=None, **fields):
        path = f"/api/v1/track/{track_token or order['track_token']}/push/{action}-device"
        return await client.post(path, json={"token": token, **fields})

    return send


async def count_devices(order):
    return await sql.fetch_value("SELECT count(*) FROM notifications_order_device WHERE order_id = $1", order["id"])


async def test_browser_shows_that_the_order_is_ready(store, order, change, browser, dispatch):
    await sql.execute("DELETE FROM notifications_message WHERE status = 'pending'")
    response = await change("register", browser.token, locale="de")

    await store.set_status(order["id"], "ready")
    await dispatch()
    await process_queue(PUSH)

    title = (await store.get())["title"]
    assert (response.status_code, await response.get_json()) == (200, {"registered": True})
    assert len(browser.received) == 1
    assert browser.read() == {
        "title": f"Bestellung {order['number']} ist fertig",
        "text": f"Ihre Bestellung {order['number']} liegt bei {title} zur Abholung bereit.",
        "data": {"link": f"http://comanda.test/t/{order['track_token']}"},
    }


async def test_unregistered_browser_is_told_nothing(store, order, change, browser, dispatch):
    await change("register", browser.token)

    response = await change("unregister", browser.token)
    await store.set_status(order["id"], "ready")
    await dispatch()
    await process_queue(PUSH)

    assert await response.get_json() == {"registered": False}
    assert browser.received == []


@pytest.mark.parametrize(
    "token",
    [
        "abc",
        '{"endpoint": 5}',
        '{"endpoint": "https://10.0.0.1/push", "keys": {"p256dh": "a", "auth": "b"}}',
        '{"endpoint": "http://push.example.com/", "keys": {"p256dh": "a", "auth": "b"}}',
    ],
)
async def test_only_subscriptions_at_public_push_services_are_taken(order, change, token):
    response = await change("register", token)

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == ["token"]
    assert await count_devices(order) == 0


async def test_unknown_order_has_no_browsers(order, change, browser):
    response = await change("register", browser.token, track_token="x" * 22)

    assert response.status_code == 404
    assert await count_devices(order) == 0


async def test_key_is_a_point_that_stays_the_same(client):
    first, second = [await (await client.get("/api/v1/web-push/key")).get_json() for _ in range(2)]

    point = urlsafe_b64decode(first["public_key"] + "=")
    assert first == second
    assert ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point).curve.name == "secp256r1"
