"""Orders that were placed on other days, and the events that tell of them."""

import pytest
from comanda import clock as clock_module
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.devkit.testing.stores import Reply, line
from comanda_customers.feed import follow

PHONE = "+351 912 345 678"
ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


@pytest.fixture
def hear(owner):
    """Tell the handler of orders, as the dispatcher would."""

    async def tell(*order_ids, name="order.created"):
        moment = clock_module.now()
        await follow([StoredEvent(1, owner.id, None, name, {"order_id": id}, moment) for id in order_ids])

    return tell


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=10)


@pytest.fixture
def order(store, soup, clock, hear):
    """Place an order for so many soups of 10, so many days ago, and tell of it; return its id.

    A store's business day never goes back, so the oldest comes first.
    """

    async def place(phone=PHONE, days_ago=0, soups=1, told=True, **fields):
        clock.advance(days=-days_ago)
        placed = await store.order(line(soup, soups), phone=phone, **fields)
        clock.advance(days=days_ago)
        if told:
            await hear(placed["id"])
        return placed["id"]

    return place


@pytest.fixture
def guests(store):
    """List the store's guests over the API, with any query."""

    async def read(query=""):
        return (await store.get(f"/guests?{query}"))["data"]

    return read


@pytest.fixture
def of_customer(owner):
    """Make an order that of a customer's account, as the customer's own token would have."""

    async def change(order_id, customer_id):
        await sql.execute(
            "UPDATE core_order SET customer_id = $3 WHERE id = $1 AND owner_id = $2", order_id, owner.id, customer_id
        )

    return change


class Shopper:
    """Somebody at the door of a store, or inside with a token."""

    def __init__(self, client, owner, store_id):
        self.client, self.owner, self.store_id = client, owner, store_id
        self.token = None

    async def enter(self, act, **body):
        """Call one of the public operations; a token in the answer is kept."""
        path = f"/api/v1/restaurants/{self.store_id}/customer/{act}"
        reply = await self._send("POST", path, body, {})
        if reply.status < 300 and "token" in reply.document:
            self.token = reply["token"]
        return reply

    async def send(self, method, path, body=None, **headers):
        """Call one of the customer's own operations."""
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        given = {"Authorization": f"Bearer {self.token}", **spelled}
        return await self._send(method, f"/api/v1/customer{path}", body, given)

    async def get(self, path):
        reply = await self.send("GET", path)
        assert reply.status == 200, reply
        return reply.document

    async def sent_code(self, **body):
        """Request a code and read it from the message that was stored for the phone or e-mail."""
        reply = await self.enter("otp/request", **body)
        assert (reply.status, reply.document) == (200, {"sent": True, "expires_in": 600})
        return await self.last_code(body.get("phone") or body["email"])

    async def last_code(self, address):
        text = await sql.fetch_value(
            "SELECT text FROM notifications_message WHERE owner_id = $1 AND address = $2 ORDER BY id DESC LIMIT 1",
            self.owner.id,
            address,
        )
        return text.partition(" ")[0]

    async def verified(self, **identity):
        """Log in by a code."""
        reply = await self.enter("otp/verify", code=await self.sent_code(**identity), **identity)
        assert reply.status == 200, reply
        return reply

    async def _send(self, method, path, body, headers):
        options = {} if body is None else {"json": body}
        response = await self.client.open(path, method=method, headers=headers, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))


@pytest.fixture
def shopper(client, owner, store_id):
    """Make somebody at the door of the store, or of another one."""

    def make(store_id=store_id):
        return Shopper(client, owner, store_id)

    return make


@pytest.fixture
async def ada(shopper):
    """Give a customer who registered with e-mail and password."""
    made = shopper()
    reply = await made.enter("register", **ADA)
    assert reply.status == 201, reply
    made.id = reply["customer"]["id"]
    return made


@pytest.fixture
def customers_rows(owner):
    """Dump the owner's customers, to see that nothing changed."""

    async def read():
        rows = await sql.fetch(
            "SELECT to_jsonb(c)::text AS row FROM customers_customer c WHERE owner_id = $1 ORDER BY id", owner.id
        )
        return [row["row"] for row in rows]

    return read
