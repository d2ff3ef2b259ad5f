"""A fake of Mollie on loopback, with Mollie's library in between."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from comanda.contracts import DisputeState, PayoutState
from comanda.devkit.testing import DisputeFake, PayoutFake, ProviderFake, ReaderFake, SignedWebhook, line
from comanda.platform import runtime as runtime_module
from comanda_mollie.settings import MollieSettings
from mollie_api import KEY, OPERATOR_KEY, ORGANIZATION_TOKEN, MollieApi

PAYOUT_STATES = {PayoutState.PAID: "paidout", PayoutState.FAILED: "failed"}


class MollieFake(ProviderFake):
    code = "mollie"
    credentials = {"api_key": KEY, "organization_token": ORGANIZATION_TOKEN}
    signs_webhooks = False

    def __init__(self, api):
        self.api = api

    def find(self, url):
        return self.api.payments[url.rpartition("/")[2]]

    async def pay(self, url):
        self.api.pay(self.find(url))

    async def decline(self, url):
        self.api.decline(self.find(url))

    async def report(self, account, url):
        return create_webhook(account, self.find(url)["id"])

    async def list_collected(self):
        return [to_minor(each) for each in self.api.payments.values() if each["status"] == "paid"]

    async def list_refunded(self):
        return [to_minor(each) for each in self.api.refunds.values()]


class MollieDisputeFake(DisputeFake):
    first_state = DisputeState.LOST

    def __init__(self, mollie):
        self.mollie = mollie

    async def dispute(self, url):
        self.mollie.api.charge_back(self.mollie.find(url))

    async def decide(self, url, state):
        if state is DisputeState.WON:
            payment = self.mollie.find(url)
            self.mollie.api.chargebacks[f"chb_{payment['id']}"]["reversedAt"] = payment["createdAt"]

    async def report(self, account, url):
        return create_webhook(account, self.mollie.find(url)["id"])


class MolliePayoutFake(PayoutFake):
    def __init__(self, mollie):
        self.mollie = mollie

    async def pay_out(self, url):
        self.mollie.api.settle(self.mollie.find(url)["_profile"])

    async def finish(self, url, state):
        number = self.mollie.find(url)["_settlement"]
        self.mollie.api.settlements[number]["status"] = PAYOUT_STATES[state]

    async def report(self, account, url):
        return None


class MollieTerminalFake(ReaderFake):
    reader = "term_bar"

    def __init__(self, api):
        self.api = api

    async def pay(self, reader):
        if (payment := self.api.get_asking(reader)) is not None:
            self.api.pay(payment)

    async def decline(self, reader):
        if (payment := self.api.get_asking(reader)) is not None:
            self.api.decline(payment)

    async def unplug(self, reader):
        self.api.terminals[reader]["status"] = "inactive"


def create_webhook(account, payment_id):
    """Return a webhook as Mollie sends it: it names a payment, and proves nothing."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return SignedWebhook(account["webhook_url"], urlencode({"id": payment_id}).encode(), headers)


def to_minor(thing):
    return round(float(thing["amount"]["value"]) * 100)


@pytest.fixture
def use_settings(app):
    """Use settings of Mollie during the test."""
    before = runtime_module.current()

    def use(**values):
        settings = {**before.registry.settings, MollieSettings: MollieSettings(**values)}
        now = runtime_module.current()
        runtime_module.use(replace(now, registry=replace(now.registry, settings=settings)))

    yield use
    runtime_module.use(before)


@pytest.fixture
async def api(use_settings, clock):
    """A fake of Mollie's API, where the operator has no account."""
    async with MollieApi().serving() as double:
        use_settings(url=double.url)
        yield double


@pytest.fixture
def operator(api, use_settings):
    """The operator's account, which may be lent."""
    use_settings(url=api.url, api_key=OPERATOR_KEY)


@pytest.fixture
def provider_fake(api):
    return MollieFake(api)


@pytest.fixture
def dispute_fake(provider_fake):
    return MollieDisputeFake(provider_fake)


@pytest.fixture
def payout_fake(provider_fake):
    return MolliePayoutFake(provider_fake)


@pytest.fixture
def reader_fake(api):
    return MollieTerminalFake(api)


@pytest.fixture
def connect(store):
    """Connect an account of the owner with a key."""

    async def send(key=KEY, **credentials):
        body = {"provider": "mollie", "credentials": {"api_key": key, **credentials}}
        return await store.send_to("/api/v1/payment-accounts", "POST", body)

    return send


@pytest.fixture
async def order(store):
    return await store.order(line(await store.item("Soup", 10)))


@pytest.fixture
def pay(store, order):
    """Start a payment of the order."""

    async def start(**fields):
        return await store.send("POST", f"/orders/{order['id']}/payments", {"method": "mollie", **fields})

    return start


@pytest.fixture
def send(client, api):
    """Send a webhook to an account, about the only payment if no other is named, and return the status."""

    async def post(account, payment_id=None, extra=""):
        webhook = create_webhook(account, payment_id or api.payment["id"])
        path = webhook.url.removeprefix("http://comanda.test")
        response = await client.post(path, data=webhook.body + extra.encode(), headers=webhook.headers)
        return response.status_code

    return post
