"""Orders, customers, and a fake gateway with a hosted checkout."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import Reply, TestStore, line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_customers.models import Customer
from comanda_customers.services.sign_in.tokens import issue_token
from comanda_payments import api, tasks
from comanda_payments.services.accounts import terms
from comanda_payments.services.prepaid import prepayment_checkout
from comanda_payments.store_settings import SETTING_BY_MODE
from comanda_stripe.settings import StripeSettings
from demo_bank import DemoBankFake
from hosted_checkout import KEY, OPERATOR_KEY, OPERATOR_SECRET, SECRET, Gateway
from paying_first import set_payments

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


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
def use_stripe_settings(app):
    """Use settings of Stripe during the test."""
    before = runtime_module.current()

    def use(**values):
        settings = {**before.registry.settings, StripeSettings: StripeSettings(**values)}
        runtime_module.use(replace(before, registry=replace(before.registry, settings=settings)))

    yield use
    runtime_module.use(before)


@pytest.fixture
async def stripe_api(use_stripe_settings):
    """A fake of Stripe on loopback, and the operator without an account there."""
    async with Gateway().serving() as double:
        use_stripe_settings(url=double.url)
        yield double


@pytest.fixture
async def account(stripe_api, store):
    """The owner's account at Stripe, with a key of its own."""
    body = {"provider": "stripe", "credentials": {"secret_key": KEY}}
    reply = await store.send_to("/api/v1/payment-accounts", "POST", body)
    assert (reply.status, reply["state"]) == (201, "ready"), reply
    return reply.document


@pytest.fixture
def gateway(stripe_api, account):
    """A fake of Stripe on loopback, where the owner has an account."""
    return stripe_api


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
def ask_disputes(store):
    """List the owner's disputes."""

    async def ask():
        return (await store.send_to("/api/v1/payment-disputes"))["data"]

    return ask


@pytest.fixture
def send_webhook(client, gateway, account):
    """Send a webhook about a session, as the gateway does."""

    async def send_webhook(
        session, kind="checkout.session.completed", secret=SECRET, sent_at=None, url=account["webhook_url"], **changes
    ):
        body, headers = gateway.sign_event(kind, {**session, **changes}, secret=secret, sent_at=sent_at)
        return await client.post(urlsplit(url).path, data=body, headers=headers)

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


@pytest.fixture
def ask(store):
    """Send a request to the accounts of the owner."""

    async def send(path="", method="GET", body=None, of=store):
        return await of.send_to(f"/api/v1/payment-accounts{path}", method, body)

    return send


@pytest.fixture
async def other_store(client, other_owner):
    return TestStore(client, other_owner, await other_owner.store())


@pytest.fixture
async def lent(stripe_api, owner, use_stripe_settings):
    """The operator's account, lent to the owner."""
    use_stripe_settings(url=stripe_api.url, secret_key=OPERATOR_KEY, webhook_secret=OPERATOR_SECRET, connect=True)
    await terms.set_loan(owner.id, lends_account=True)
    return stripe_api


@pytest.fixture
def provider_fake(client, owner):
    return DemoBankFake(client, owner)


@pytest.fixture
async def demo_account(store):
    """The owner's account at the demo bank."""
    reply = await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})
    assert reply.status == 201, reply
    return reply.document


class Payer:
    """A guest who pays something in advance, on pages of the store and of the bank."""

    def __init__(self, store, bank):
        self.store, self.bank = store, bank

    async def send(self, path, body):
        response = await self.store.client.post(path, json=body, headers=OWN_PAGE)
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    async def buy(self, amount=50, email="ana@example.com", key=None):
        slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", self.store.id)
        body = {"amount": amount, "email": email, "client_uuid": key or str(uuid4())}
        return await self.send(f"/s/{slug}/gift-card-sales", body)

    async def start(self, prepayment_id):
        path = await prepayment_checkout.create_link(self.store.owner.id, prepayment_id, "/prepayments/{id}/start")
        return (await self.send(path, {}))["url"]

    async def come_back(self, prepayment_id):
        path = await prepayment_checkout.create_link(self.store.owner.id, prepayment_id, "/prepayments/{id}/return")
        response = await self.store.client.get(path)
        assert response.status_code == 303
        return response.headers["Location"]

    async def read(self, path):
        response = await self.store.client.get(path)
        return response.status_code, await response.get_data(as_text=True)

    async def list(self):
        return (await self.store.get("/prepayments"))["data"]

    async def act(self, prepayment, act, **body):
        return await self.store.send("POST", f"/prepayments/{prepayment['id']}/{act}", body or None)


@pytest.fixture
def payer(store, demo_account, provider_fake):
    return Payer(store, provider_fake)


@pytest.fixture
def new_deposit(store, owner):
    """Create a deposit as the plugin does that reserves tables, and return its record."""

    async def create(amount_minor=4000, minutes=30, email=None):
        async with sql.transaction():
            deposit_id = await api.create_deposit(
                owner_id=owner.id, store_id=store.id, amount_minor=amount_minor, currency="EUR",
                description="Deposit: tonight", guest_name="Ana Silva", email=email, language="de",
                page_path="/reservations/1?expires=2", dashboard_path=f"/stores/{store.id}/reservations/1",
                due_at=clock_module.now() + timedelta(minutes=minutes),
            )  # fmt: skip
        return (await store.get(f"/prepayments/{deposit_id}")).document

    return create


@pytest.fixture
def paid_deposit(payer, new_deposit):
    """Create a deposit that is paid, and return its record."""

    async def create(amount_minor=4000, **fields):
        made = await new_deposit(amount_minor, **fields)
        await payer.bank.pay(await payer.start(made["id"]))
        await payer.come_back(made["id"])
        return (await payer.store.get(f"/prepayments/{made['id']}")).document

    return create


@pytest.fixture
async def selling(store):
    """A store whose page sells gift cards from 10 to 200."""
    reply = await store.send("PUT", "/settings/payments", {"sells_gift_cards": True})
    assert reply.status == 200, reply


@pytest.fixture
def paying_first(store, demo_account):
    """Set orders of a mode to be paid first."""

    async def set_required(mode="takeaway", **settings):
        await set_payments(store, **{SETTING_BY_MODE[mode]: "required", **settings})

    return set_required


@pytest.fixture
def track(store):
    async def read(order):
        return await (await store.client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    return read
