"""Orders to pay, customers to give credit, and a gateway with a checkout on its own pages."""

from dataclasses import replace as changed

import pytest
from comanda import clock as clock_module
from comanda import runtime as runtime_module
from comanda.db import sql
from comanda.devkit.testing.stores import Reply, line
from comanda_customers.models import Customer
from comanda_customers.tokens import issue_token
from comanda_payments.settings import PaymentSettings
from hosted_checkout import KEY, SECRET, Gateway


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=10)


@pytest.fixture
def new_order(store, soup):
    """Place an order for so many soups of 10.00."""

    async def place(soups=2, **fields):
        return await store.order(line(soup, soups), **fields)

    return place


@pytest.fixture
async def order(new_order):
    """An order of 20.00."""
    return await new_order()


class Till:
    """Pays and refunds one order over HTTP."""

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
    """Pays and refunds an order of 20.00."""
    return till_of(order)


@pytest.fixture
async def card(store):
    """A gift card of 15.00, with its code."""
    return (await store.send("POST", "/gift-cards", {"amount": 15})).document


@pytest.fixture
def new_customer(owner, store):
    """Make a customer of the store."""

    async def make(name="Ada"):
        columns = {"name": name, "email": f"{name.lower()}@example.com", "created_at": clock_module.now()}
        return await Customer.create(owner_id=owner.id, store_id=store.id, **columns)

    return make


@pytest.fixture
async def customer(new_customer):
    return await new_customer()


@pytest.fixture
def of_customer(new_order):
    """Place an order of 20.00 that is a customer's."""

    async def place(customer):
        order = await new_order()
        await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], customer.id)
        return order

    return place


@pytest.fixture
def app_of(client, owner, store):
    """Let a customer send requests from an app of theirs."""

    async def login(customer):
        token = await issue_token(owner.id, store.id, customer.id, "phone")

        async def send(method, path, body=None, **headers):
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            auth = {"Authorization": f"Bearer {token.secret}", **named}
            options = {} if body is None else {"json": body}
            response = await client.open(f"/api/v1/customer{path}", method=method, headers=auth, **options)
            return Reply(response.status_code, await response.get_json(), dict(response.headers))

        return send

    return login


@pytest.fixture
def paid_events(published):
    """List the events of one name so far."""

    async def read(name="order.paid"):
        return [data for found, data in await published() if found == name]

    return read


@pytest.fixture
async def gateway(app):
    """A gateway on loopback that the settings name."""
    before = runtime_module.current()
    async with Gateway().serving() as double:
        named = PaymentSettings(gateway_url=double.url, gateway_key=KEY, gateway_webhook_secret=SECRET)
        settings = {**before.registry.settings, PaymentSettings: named}
        runtime_module.use(changed(before, registry=changed(before.registry, settings=settings)))
        yield double
        runtime_module.use(before)
