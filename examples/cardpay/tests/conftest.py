"""A laundry that takes card payments, and a CardPay that answers over HTTP like the real one would."""

import json
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from comanda.basics import clock as clock_module
from comanda.devkit.testing import ProviderFake, SignedWebhook, line
from comanda.platform import runtime as runtime_module
from comanda_cardpay.provider.callbacks import sign
from comanda_cardpay.settings import CardPaySettings

KEY = "key-of-tests"
SECRET = "secret-of-tests"
MERCHANT = "00012345"
CALLBACKS = "/api/v1/payments/webhooks/cardpay"


class FakeCardPay:
    """Keeps pages and refunds, and answers a repeated key with what it made before."""

    def __init__(self):
        self.url = ""
        self.pages, self.refunds, self.requests = {}, {}, []
        self.merchants = {MERCHANT}

    @property
    def page(self):
        [only] = self.pages.values()
        return only

    def pay(self, page=None):
        page = page or self.page
        if page["state"] == "open":
            page.update(state="paid", payment=f"pay-of-{page['id']}")

    async def answer(self, request):
        self.requests.append(f"{request.method} {request.path}")
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"message": "Unknown key."}, status=401)
        fields = await request.json() if request.can_read_body else {}
        kind, *rest = urlsplit(request.path).path.split("/")[2:]
        if kind == "merchants":
            if rest[0] not in self.merchants:
                return web.json_response({"message": "Unknown merchant."}, status=404)
            return web.json_response({"is_open": True, "mode": "test"})
        made = self.pages if kind == "pages" else self.refunds
        if not rest:
            return web.json_response(self._create(kind, made, fields))
        found = made[rest[0]]
        if rest[1:] == ["close"] and found["state"] == "open":
            found.update(state="closed", failure="The page was closed.")
        return web.json_response(found)

    def _create(self, kind, made, fields):
        known = next((one for one in made.values() if one["key"] == fields["key"]), None)
        if known is None:
            id = f"{kind[:-1]}-{len(made) + 1}"
            state = "open" if kind == "pages" else "refunded"
            known = made[id] = {**fields, "id": id, "url": f"{self.url}/pay/{id}", "state": state}
        return known


def sign_callback(page, *, secret=SECRET, age=0):
    body = json.dumps({"page": page}).encode()
    sent_at = int(clock_module.now().timestamp()) - age
    return body, {
        "CardPay-Signature": f"t={sent_at},v1={sign(body, sent_at, secret)}",
        "Content-Type": "application/json",
    }


class CardPayFake(ProviderFake):
    """The outside of CardPay, for the tests that every provider passes."""

    code = "cardpay"
    credentials = {"merchant": MERCHANT}
    store_type = "laundry"
    order_type = "in_store"

    def __init__(self, cardpay):
        self.cardpay = cardpay

    def find(self, url):
        return self.cardpay.pages[url.rpartition("/")[2]]

    async def pay(self, url):
        self.cardpay.pay(self.find(url))

    async def decline(self, url):
        self.find(url).update(state="failed", failure="The card was declined.")

    async def report(self, account, url):
        return SignedWebhook(CALLBACKS, *sign_callback(self.find(url)))

    async def list_collected(self):
        return [page["amount"] for page in self.cardpay.pages.values() if page["state"] == "paid"]

    async def list_refunded(self):
        return [refund["amount"] for refund in self.cardpay.refunds.values()]


@pytest.fixture
def provider_fake(cardpay):
    return CardPayFake(cardpay)


@pytest.fixture
async def cardpay(runtime):
    fake = FakeCardPay()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", fake.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    fake.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    settings = CardPaySettings(api_url=fake.url, api_key=KEY, callback_secret=SECRET)
    known = {**runtime.registry.settings, CardPaySettings: settings}
    runtime_module.use(replace(runtime, registry=replace(runtime.registry, settings=known)))
    yield fake
    runtime_module.use(runtime)
    await runner.cleanup()


@pytest.fixture
async def shop(open_store):
    return await open_store("laundry")


@pytest.fixture
async def order(shop):
    shirt = await shop.item("Shirt", 12)
    return await shop.order(line(shirt), type="in_store")


@pytest.fixture
def pay(shop, order):
    """Start a payment of the order and return the reply."""

    async def start(**fields):
        return await shop.send("POST", f"/orders/{order['id']}/payments", {"method": "cardpay", **fields})

    return start


@pytest.fixture
def call_back(client, cardpay):
    """Send a callback about a page as CardPay would, with whatever differs, and return the response."""

    async def send(page=None, *, secret=SECRET, age=0, signature=None):
        body, headers = sign_callback(page or cardpay.page, secret=secret, age=age)
        if signature:
            headers["CardPay-Signature"] = signature
        return await client.post(CALLBACKS, data=body, headers=headers)

    return send


@pytest.fixture
def money(shop, order):
    """Return what is paid and refunded of the order."""

    async def load():
        shown = (await shop.get(f"/orders/{order['id']}")).document
        return shown["payment_status"], shown["paid_total"], shown["refunded_total"]

    return load
