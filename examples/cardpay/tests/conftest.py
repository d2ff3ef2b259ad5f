"""A laundry that takes card payments, and a CardPay that answers over HTTP like the real one would."""

import json
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from comanda.basics import clock as clock_module
from comanda.devkit.testing import line
from comanda.platform import runtime as runtime_module
from comanda_cardpay.services import sign
from comanda_cardpay.settings import CardPaySettings

KEY = "key-of-tests"
SECRET = "secret-of-tests"


class FakeCardPay:
    """Keeps pages and refunds, and answers a repeated key with what it made before."""

    def __init__(self):
        self.url = ""
        self.pages, self.refunds, self.requests = {}, {}, []

    @property
    def page(self):
        [only] = self.pages.values()
        return only

    def pay(self):
        self.page.update(state="paid", payment=f"pay-of-{self.page['id']}")

    async def answer(self, request):
        self.requests.append(f"{request.method} {request.path}")
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"message": "Unknown key."}, status=401)
        fields = await request.json() if request.can_read_body else {}
        kind, *rest = urlsplit(request.path).path.split("/")[2:]
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
        body = json.dumps({"page": page or cardpay.page}).encode()
        sent_at = int(clock_module.now().timestamp()) - age
        header = signature or f"t={sent_at},v1={sign(body, sent_at, secret)}"
        return await client.post(
            "/api/v1/cardpay/callbacks",
            data=body,
            headers={"CardPay-Signature": header, "Content-Type": "application/json"},
        )

    return send


@pytest.fixture
def money(shop, order):
    """Return what is paid and refunded of the order."""

    async def load():
        shown = (await shop.get(f"/orders/{order['id']}")).document
        return shown["payment_status"], shown["paid_total"], shown["refunded_total"]

    return load
