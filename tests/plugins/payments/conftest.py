"""Orders, customers, and a fake gateway with a hosted checkout."""

import json
import re
from dataclasses import replace

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import Reply, line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_customers.models import Customer
from comanda_customers.services.tokens import issue_token
from comanda_payments import tasks
from comanda_payments.services import gateway_webhooks
from comanda_payments.settings import PaymentSettings
from hosted_checkout import KEY, SECRET, Gateway


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=10)


@pytest.fixture
def new_order(store, soup):
    """Place an order of soups at 10.00 each."""

    async def place(soups=2, **fields):
        return await store.order(line(soup, soups), **fields)

    return place


@pytest.fixture
async def order(new_order):
    """An order of 20.00."""
    return await new_order()


class Till:
    """A till that pays and refunds one order over HTTP."""

    def __init__(self, store, order_id):
        self.store, self.path = store, f"/orders/{order_id}"

    async def pay(self, method="cash", amount=None, key=None, **fields):
        body = {"method": method, **fields} | ({} if amount is None else {"amount": amount})
        headers = {"Idempotency-Key": key} if key else {}
        return await self.store.send("POST", f"{self.path}/payments", body, **headers)

    async def refund(self, key=None, reason="Cold", **fields):
        headers = {"Idempotency-Key": key} if key else {}
        return await self.store.send("POST", f"{self.path}/refunds", {"reason": reason, **fields}, **headers)

    async def split(self, by, **fields):
        return await self.store.send("POST", f"{self.path}/payments/split-preview", {"by": by, **fields})

    async def order(self):
        return (await self.store.get(self.path)).document

    async def payments(self):
        return (await self.store.get(f"{self.path}/payments"))["data"]

    async def refunds(self):
        return (await self.store.get(f"{self.path}/refunds"))["data"]

    async def money(self):
        order = await self.order()
        return order["payment_status"], order["paid_total"], order["refunded_total"]


@pytest.fixture
def till_of(store):
    return lambda order, of=store: Till(of, order["id"])


@pytest.fixture
def till(till_of, order):
    """A till for an order of 20.00."""
    return till_of(order)


@pytest.fixture
async def card(store):
    """A gift card of 15.00, with its code."""
    return (await store.send("POST", "/gift-cards", {"amount": 15})).document


@pytest.fixture
def new_customer(owner, store):
    """Create a customer of the store."""

    async def make(name="Ada"):
        columns = {"name": name, "email": f"{name.lower()}@example.com", "created_at": clock_module.now()}
        return await Customer.create(owner_id=owner.id, store_id=store.id, **columns)

    return make


@pytest.fixture
async def customer(new_customer):
    return await new_customer()


@pytest.fixture
def new_customer_order(new_order):
    """Place an order of 20.00 for a customer."""

    async def place(customer):
        order = await new_order()
        await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], customer.id)
        return order

    return place


@pytest.fixture
def app_of(client, owner, store):
    """Return a function that sends requests with a customer's token."""

    async def login(customer):
        token = await issue_token(owner.id, store.id, customer.id, "phone")

        async def send(method, path, body=None, **headers):
            extra_headers = {name.replace("_", "-"): value for name, value in headers.items()}
            auth = {"Authorization": f"Bearer {token.secret}", **extra_headers}
            options = {} if body is None else {"json": body}
            response = await client.open(f"/api/v1/customer{path}", method=method, headers=auth, **options)
            return Reply(response.status_code, await response.get_json(), dict(response.headers))

        return send

    return login


@pytest.fixture
def paid_events(published):
    """List the published events with a name."""

    async def read(name="order.paid"):
        return [data for found, data in await published() if found == name]

    return read


@pytest.fixture
async def gateway(app):
    """A gateway on loopback, configured in the settings."""
    before = runtime_module.current()
    async with Gateway().serving() as double:
        payment_settings = PaymentSettings(gateway_url=double.url, gateway_key=KEY, gateway_webhook_secret=SECRET)
        settings = {**before.registry.settings, PaymentSettings: payment_settings}
        runtime_module.use(replace(before, registry=replace(before.registry, settings=settings)))
        yield double
        runtime_module.use(before)


@pytest.fixture
def create_entry(store):
    """Create an entry in a customer's store credit ledger."""

    async def create_entry(customer, amount, kind="grant", note="Sorry"):
        body = {"kind": kind, "amount": amount, "note": note}
        return await store.send("POST", f"/store-credit/{customer.id}/entries", body)

    return create_entry


@pytest.fixture
async def own_order(customer, new_customer_order):
    return await new_customer_order(customer)


@pytest.fixture
async def ada(customer, app_of):
    return await app_of(customer)


@pytest.fixture
def send_webhook(client, gateway):
    """Send a webhook about a session, as the gateway does."""

    async def send_webhook(session, kind="checkout.session.completed", secret=SECRET, sent_at=None, **changes):
        body = json.dumps({"type": kind, "data": {"object": {**session, **changes}}}).encode()
        at = int(clock_module.now().timestamp()) if sent_at is None else sent_at
        headers = {"Stripe-Signature": f"t={at},v1={gateway_webhooks.sign(body, at, secret)}"}
        return await client.post("/api/v1/payments/gateway/events", data=body, headers=headers)

    return send_webhook


@pytest.fixture
def reconcile_later(clock):
    """Advance the clock and run the task."""

    async def reconcile(minutes=2):
        clock.advance(minutes=minutes)
        await tasks.reconcile()

    return reconcile


class Page:
    """The payment page of an order, used as by a browser without scripts."""

    def __init__(self, client, token):
        self.client, self.path = client, f"/pay/{token}"

    async def read(self, query=""):
        response = await self.client.get(self.path + query)
        assert response.status_code == 200
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", await response.get_data(as_text=True)))

    async def press(self, **fields):
        response = await self.client.post(f"{self.path}/start", form=fields)
        assert response.status_code == 303
        return response.headers["Location"]

    async def come_back(self):
        response = await self.client.get(f"{self.path}/return")
        assert (response.status_code, response.headers["Location"]) == (303, self.path)


@pytest.fixture
def page_of(client):
    return lambda order: Page(client, order["track_token"])


@pytest.fixture
def page(page_of, order):
    """The payment page of an order of 20.00."""
    return page_of(order)
