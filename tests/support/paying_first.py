"""Guests of a store that wants orders paid online before they are made."""

from uuid import uuid4

from comanda.devkit.testing import Reply
from comanda.platform.db import sql
from comanda_payments import tasks

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


async def set_payments(store, **settings):
    """Set how guests pay, such as ``online_pickup="required"``."""
    reply = await store.send("PUT", "/settings/payments", settings)
    assert reply.status == 200, reply


async def open_account(store):
    """Create the owner's account at the demo bank."""
    reply = await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})
    assert reply.status == 201, reply
    return reply.document


async def send_order(store, *lines, path="orders", **fields):
    """Send an order, by default for takeaway, from the store's page, or ask for its price."""
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)
    body = {"type": "takeaway", "customer_name": "Ana", "phone": "+351911111111", "items": list(lines)}
    body |= {"client_uuid": uuid4().hex, **fields}
    response = await store.client.post(f"/s/{slug}/{path}", json=body, headers=OWN_PAGE)
    return Reply(response.status_code, await response.get_json(), dict(response.headers))


async def place_order(store, *lines, **fields):
    """Place an order from the store's page and return it."""
    reply = await send_order(store, *lines, **fields)
    assert reply.status == 201, reply
    return (await store.get(f"/orders/{reply['id']}")).document


async def read_status(store, order):
    """Return the status of an order."""
    return (await store.get(f"/orders/{order['id']}"))["status"]


async def pay(store, order, amount=None):
    """Pay an order at the till."""
    body = {"method": "card_external", **({} if amount is None else {"amount": amount})}
    reply = await store.send("POST", f"/orders/{order['id']}/payments", body)
    assert reply.status == 201, reply


async def end_time_to_pay(clock, minutes=21):
    """Advance the clock past the time to pay, and reconcile."""
    clock.advance(minutes=minutes)
    await tasks.reconcile()
