"""A fake of Stripe on loopback, with Stripe's library in between."""

from dataclasses import replace

import pytest
from comanda.devkit.testing import DisputeFake, PayoutFake, ProviderFake, ReaderFake, SignedWebhook, line
from comanda.platform import runtime as runtime_module
from comanda_stripe.settings import StripeSettings
from hosted_checkout import FEE_MINOR, KEY, OPERATOR_KEY, OPERATOR_SECRET, REGISTRATION_CODE, Gateway


class StripeFake(ProviderFake):
    code = "stripe"
    credentials = {"secret_key": KEY}

    def __init__(self, api):
        self.api = api

    def find(self, url):
        return self.api.sessions[url.rpartition("/")[2]]

    async def pay(self, url):
        self.api.pay(self.find(url))

    async def decline(self, url):
        self.find(url)["status"] = "expired"

    async def report(self, account, url):
        body, headers = self.api.sign_event("checkout.session.completed", self.find(url))
        return SignedWebhook(account["webhook_url"], body, headers)

    async def list_collected(self):
        online = [each["amount_total"] for each in self.api.sessions.values() if each["payment_status"] == "paid"]
        return online + [each["amount_received"] for each in self.api.intents.values() if each["status"] == "succeeded"]

    async def list_refunded(self):
        return [int(refund["amount"]) for refund in self.api.refunds.values()]


class StripeDisputeFake(DisputeFake):
    def __init__(self, stripe):
        self.stripe = stripe

    async def dispute(self, url):
        self.stripe.api.dispute(self.stripe.find(url))

    async def decide(self, url, state):
        self.stripe.api.dispute(self.stripe.find(url), status=state)

    async def report(self, account, url):
        dispute = self.stripe.api.disputes[self.stripe.find(url)["payment_intent"]]
        body, headers = self.stripe.api.sign_event("charge.dispute.updated", dispute)
        return SignedWebhook(account["webhook_url"], body, headers)


class StripePayoutFake(PayoutFake):
    fee = FEE_MINOR / 100

    def __init__(self, stripe):
        self.stripe = stripe

    def find(self, url):
        intent = self.stripe.find(url)["payment_intent"]
        transactions = self.stripe.api.transactions.values()
        [reference] = [each["_payout"] for each in transactions
                       if each["type"] == "charge" and each["source"]["payment_intent"] == intent]  # fmt: skip
        return self.stripe.api.payouts[reference]

    async def pay_out(self, url):
        self.stripe.api.pay_out(self.stripe.find(url)["_account"])

    async def finish(self, url, state):
        failure = "The bank account was closed." if state == "failed" else None
        self.find(url).update(status=state.value, failure_message=failure)

    async def report(self, account, url):
        payout = self.find(url)
        body, headers = self.stripe.api.sign_event(f"payout.{payout['status']}", payout)
        return SignedWebhook(account["webhook_url"], body, headers)


class TerminalFake(ReaderFake):
    code = REGISTRATION_CODE

    def __init__(self, api):
        self.api = api

    async def pay(self, reader):
        self.api.hold_card(reader)

    async def decline(self, reader):
        self.api.hold_card(reader, is_declined=True)

    async def unplug(self, reader):
        self.api.readers[reader]["status"] = "offline"


@pytest.fixture
def reader_fake(api):
    return TerminalFake(api)


@pytest.fixture
def use_settings(app):
    """Use settings of Stripe during the test."""
    before = runtime_module.current()

    def use(**values):
        settings = {**before.registry.settings, StripeSettings: StripeSettings(**values)}
        now = runtime_module.current()
        runtime_module.use(replace(now, registry=replace(now.registry, settings=settings)))

    yield use
    runtime_module.use(before)


@pytest.fixture
async def api(use_settings):
    """A fake of Stripe's API, where the operator has no account."""
    async with Gateway().serving() as double:
        use_settings(url=double.url)
        yield double


@pytest.fixture
def operator(api, use_settings):
    """The operator's account, to which accounts of owners may be connected."""
    use_settings(url=api.url, secret_key=OPERATOR_KEY, webhook_secret=OPERATOR_SECRET, connect=True)


@pytest.fixture
def provider_fake(api):
    return StripeFake(api)


@pytest.fixture
def dispute_fake(provider_fake):
    return StripeDisputeFake(provider_fake)


@pytest.fixture
def payout_fake(provider_fake):
    return StripePayoutFake(provider_fake)


@pytest.fixture
async def connected(api, operator, store):
    """An account that is connected to the operator's, and not completed yet."""
    reply = await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "stripe"})
    assert (reply.status, reply["state"], reply["is_connected"]) == (201, "pending", True)
    return reply.document


@pytest.fixture
def open_page(store):
    async def start(account):
        return await store.send_to(
            f"/api/v1/payment-accounts/{account['id']}/page", "POST", {"return_url": "https://a.example/back"}
        )

    return start


@pytest.fixture
def shared_webhook(client, api):
    """Send a webhook to the address that all connected accounts share."""

    async def send(kind, thing, secret=OPERATOR_SECRET, **fields):
        body, headers = api.sign_event(kind, thing, secret=secret, **fields)
        response = await client.post("/api/v1/payments/webhooks/stripe", data=body, headers=headers)
        return response.status_code

    return send


@pytest.fixture
async def completed(api, connected, open_page, shared_webhook, store):
    """An account that is connected and complete."""
    assert (await open_page(connected)).status == 200
    [found] = api.accounts.values()
    found["charges_enabled"] = True
    assert await shared_webhook("account.updated", found, account=found["id"]) == 200
    account = await store.send_to(f"/api/v1/payment-accounts/{connected['id']}")
    assert account["state"] == "ready"
    return account.document


@pytest.fixture
async def order(store):
    return await store.order(line(await store.item("Soup", 10)))


@pytest.fixture
def pay(store, order):
    """Start a payment of the order."""

    async def start():
        return await store.send("POST", f"/orders/{order['id']}/payments", {"method": "stripe"})

    return start
