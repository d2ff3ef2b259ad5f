"""A store that issues invoices, its paid orders, and what becomes of them."""

import asyncio
from uuid import uuid4

import pytest
from comanda.basics import clock as clock_module
from comanda.contracts import StoredEvent
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_invoices.event_handlers import credit_refunds

SELLER = {
    "legal_name": "Tasca do Mar Lda",
    "address": "Rua da Praia 7\n8600 Lagos",
    "tax_number": "PT501964843",
    "note": "CRC Lagos 1234",
}
BUYER = {"name": "Nordwind GmbH", "address": "Hafen 7\n20457 Hamburg", "tax_number": "DE812345678"}
OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


class InvoicedGuest:
    """A guest with the track token of an order."""

    def __init__(self, client, token):
        self.client, self.token = client, token

    async def read(self, path="", language="en"):
        response = await self.client.get(f"/invoice/{self.token}{path}", headers={"Accept-Language": language})
        return response.status_code, await response.get_data(as_text=True)

    async def request(self, headers=OWN_PAGE, **fields):
        body = {**BUYER, "client_uuid": str(uuid4()), **fields}
        response = await self.client.post(f"/invoice/{self.token}/request", json=body, headers=headers)
        return response.status_code, await response.get_json()

    async def track(self):
        return await (await self.client.get(f"/t/{self.token}")).get_data(as_text=True)


@pytest.fixture
def set_seller(store):
    async def put(**fields):
        reply = await store.send("PUT", "/settings/invoices", {**SELLER, **fields})
        assert reply.status == 200, reply

    return put


@pytest.fixture
async def seller(set_seller):
    await set_seller()


@pytest.fixture
def new_order(store):
    """Place an order of 2 soups at 23 % and a tea at 6 %, with a tip."""
    made = {}

    async def place(**fields):
        if not made:
            made["soup"] = await store.item("Soup", 10, tax_rate=23)
            made["tea"] = await store.item("Tea", 3, tax_rate=6)
        lines = (line(made["soup"], 2), line(made["tea"]))
        return await store.order(*lines, **{"type": "takeaway", "tip_amount": 2, **fields})

    return place


@pytest.fixture
def pay(store):
    async def send(order, **fields):
        reply = await store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash", **fields})
        assert reply.status == 201, reply

    return send


@pytest.fixture
def refund(store):
    """Refund an order, an amount of it, or lines."""

    async def send(order, **fields):
        reply = await store.send("POST", f"/orders/{order['id']}/refunds", {"reason": "Cold", **fields})
        assert reply.status == 201, reply

    return send


@pytest.fixture
async def paid_order(new_order, pay):
    order = await new_order()
    await pay(order)
    return order


@pytest.fixture
def issue(store):
    """Ask for the invoice of an order and return the reply."""

    async def send(order, **fields):
        return await store.send("POST", f"/orders/{order['id']}/invoice", {**BUYER, **fields})

    return send


@pytest.fixture
async def invoice(seller, paid_order, issue):
    reply = await issue(paid_order)
    assert reply.status == 201, reply
    return reply.document


@pytest.fixture
def handle(owner, store):
    """Pass events of orders to the handler, as the dispatcher does."""

    async def tell(*orders):
        moment = clock_module.now()
        await credit_refunds(
            [
                StoredEvent(n, owner.id, store.id, "order.payment_changed", {"order_id": order["id"]}, moment)
                for n, order in enumerate(orders, 1)
            ]
        )

    return tell


@pytest.fixture
def documents(store):
    """Return the documents of the store, the oldest first, as kinds with numbers and totals."""

    async def read():
        found = (await store.get("/invoices?per_page=100"))["data"]
        return [(each["kind"], each["number"], each["total"]) for each in reversed(found)]

    return read


@pytest.fixture
def gather():
    async def run(*waiting):
        return await asyncio.gather(*waiting)

    return run


@pytest.fixture
def last_number(owner):
    async def read(prefix="INV-"):
        return await sql.fetch_value(
            "SELECT last_number FROM invoices_series WHERE owner_id = $1 AND prefix = $2", owner.id, prefix
        )

    return read


@pytest.fixture
def new_guest(client):
    return lambda order: InvoicedGuest(client, order["track_token"])


@pytest.fixture
async def guest(new_guest, seller, paid_order):
    return new_guest(paid_order)
