"""Orders placed on other days with their events, and customers who use the API."""

import pytest
from comanda.basics import clock as clock_module
from comanda.contracts import StoredEvent
from comanda.devkit.testing import Reply, line
from comanda.platform.db import sql
from comanda_customers.event_handlers import update_guests
from comanda_customers.models import Customer

PHONE = "+351 912 345 678"
ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


@pytest.fixture
def handle_order_event(owner):
    """Pass order events to the handler, as the dispatcher would."""

    async def tell(*order_ids, name="order.created"):
        moment = clock_module.now()
        await update_guests([StoredEvent(1, owner.id, None, name, {"order_id": id}, moment) for id in order_ids])

    return tell


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=10)


@pytest.fixture
def mark_as_paid(owner):
    """Mark orders as paid in full, as a payment does."""

    async def mark(*order_ids):
        await sql.execute(
            "UPDATE core_order SET paid_minor = total_minor, paid_at = created_at WHERE id = ANY($1) AND owner_id = $2",
            list(order_ids),
            owner.id,
        )

    return mark


@pytest.fixture
def order(store, soup, clock, handle_order_event, mark_as_paid):
    """Place an order for ``soups`` soups of 10, ``days_ago`` days ago, handle its event and return its id.

    A store's business day never goes back, so the oldest comes first.
    """

    async def place(phone=PHONE, days_ago=0, soups=1, is_handled=True, is_paid=True, **fields):
        clock.advance(days=-days_ago)
        placed = await store.order(line(soup, soups), phone=phone, **fields)
        clock.advance(days=days_ago)
        if is_paid:
            await mark_as_paid(placed["id"])
        if is_handled:
            await handle_order_event(placed["id"])
        return placed["id"]

    return place


@pytest.fixture
def list_guests(store):
    """List the store's guests over the API, with a query."""

    async def read(query=""):
        return (await store.get(f"/guests?{query}"))["data"]

    return read


@pytest.fixture
def assign_to_customer(owner):
    """Assign an order to a customer, as if placed with the customer's token."""

    async def change(order_id, customer_id):
        await sql.execute(
            "UPDATE core_order SET customer_id = $3 WHERE id = $1 AND owner_id = $2", order_id, owner.id, customer_id
        )

    return change


class Shopper:
    """A person using the customer API of a store, with or without a token, at an ``address`` of the network."""

    def __init__(self, client, owner, store_id):
        self.client, self.owner, self.store_id = client, owner, store_id
        self.address = "127.0.0.1"
        self.token = None

    async def call_public(self, act, **body):
        """Call a public operation and keep a returned token."""
        path = f"/api/v1/restaurants/{self.store_id}/customer/{act}"
        reply = await self._send("POST", path, body, {})
        if reply.status < 300 and "token" in reply.document:
            self.token = reply["token"]
        return reply

    async def send(self, method, path, body=None, **headers):
        """Call an operation of the logged-in customer."""
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        given = {"Authorization": f"Bearer {self.token}", **spelled}
        return await self._send(method, f"/api/v1/customer{path}", body, given)

    async def get(self, path):
        reply = await self.send("GET", path)
        assert reply.status == 200, reply
        return reply.document

    async def request_code(self, **body):
        """Request a code and read it from the stored message."""
        reply = await self.call_public("otp/request", **body)
        assert (reply.status, reply.document) == (200, {"sent": True, "expires_in": 600})
        return await self.read_last_code(body.get("phone") or body["email"])

    async def read_last_code(self, address):
        text = await sql.fetch_value(
            "SELECT text FROM notifications_message WHERE owner_id = $1 AND address = $2 ORDER BY id DESC LIMIT 1",
            self.owner.id,
            address,
        )
        return text.partition(" ")[0]

    async def log_in_by_code(self, **identity):
        """Log in by a code."""
        reply = await self.call_public("otp/verify", code=await self.request_code(**identity), **identity)
        assert reply.status == 200, reply
        return reply

    async def _send(self, method, path, body, headers):
        options = {} if body is None else {"json": body}
        scope = {"client": (self.address, 1)}
        response = await self.client.open(path, method=method, headers=headers, scope_base=scope, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))


@pytest.fixture
def make_shopper(client, owner, store_id):
    """Create a person without a token, at the store or at another one."""

    def make(store_id=store_id):
        return Shopper(client, owner, store_id)

    return make


@pytest.fixture
async def ada(make_shopper):
    """A customer who registered with e-mail and password."""
    created = make_shopper()
    reply = await created.call_public("register", **ADA)
    assert reply.status == 201, reply
    created.id = reply["customer"]["id"]
    return created


@pytest.fixture
def read_customers(owner):
    """Read the owner's customer rows, to check that nothing changed."""

    async def read():
        rows = await sql.fetch(
            "SELECT to_jsonb(c)::text AS row FROM customers_customer c WHERE owner_id = $1 ORDER BY id", owner.id
        )
        return [row["row"] for row in rows]

    return read


@pytest.fixture
async def customer(owner, store_id):
    return await Customer.create(
        owner_id=owner.id, store_id=store_id, name="Ada", email="ada@example.com", created_at=clock_module.now()
    )


@pytest.fixture
def agent(ada, mcp):
    return mcp("/mcp/customer", {"Authorization": f"Bearer {ada.token}"})


PROVEN_PHONE = "+351912345678"


@pytest.fixture
async def customer_with_data(make_shopper, store, soup, dispatch):
    """A customer with data in every table that holds personal data."""
    ada = make_shopper()
    code = await ada.request_code(phone=PROVEN_PHONE, purpose="proof")
    reply = await ada.call_public(
        "register", name="Ada Lovelace", email="ada@example.com", password="correct horse", phone=PROVEN_PHONE,
        code=code, device="Ada's phone",
    )  # fmt: skip
    assert reply.status == 201, reply
    ada.id = reply["customer"]["id"]
    await ada.send("PUT", "/me", {"birthday": "1990-02-28", "consents": {"terms": True}})
    saved = await ada.send("POST", "/addresses", {"line1": "Rua da Prata 8", "instructions": "Ring twice"})
    lines = [line(soup, note="No onions")]
    ada.order = await ada.send(
        "POST", "/orders", {"type": "delivery", "items": lines, "address_id": saved["id"], "note": "Ring twice"}
    )
    assert ada.order.status == 201, ada.order
    await store.set_status(ada.order["id"], "preparing", note="Ask Lovelace about onions")
    ada.as_guest = await store.order(line(soup), phone="+351 912 345 678", customer_name="A. Lovelace")
    await dispatch()
    await ada.call_public("login", email="ada@example.com", password="wrong horse")
    return ada


@pytest.fixture
def count_rows(owner):
    """Count the owner's codes, messages and customers."""

    async def read():
        return [
            await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id)
            for table in ("core_login_code", "notifications_message", "customers_customer")
        ]

    return read
