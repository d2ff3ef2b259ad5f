"""Orders to pay, customers to give credit, and a gateway that answers over HTTP as a hosted checkout does."""

from dataclasses import dataclass, field
from dataclasses import replace as changed

import pytest
from aiohttp import web
from comanda import clock as clock_module
from comanda import runtime as runtime_module
from comanda.db import sql
from comanda.testing.stores import line
from comanda_customers.models import Customer
from comanda_payments.settings import PaymentSettings

KEY = "sk_test_1"
SECRET = "whsec_test_1"


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
def paid_events(published):
    """List the events of one name so far."""

    async def read(name="order.paid"):
        return [data for found, data in await published() if found == name]

    return read


@dataclass
class Gateway:
    """A double of a hosted checkout's interface: it keeps sessions and refunds, and repeats what a key asked before.

    ``lose`` lets that many answers get lost after the work is done; ``refuse`` answers everything with that status.
    """

    url: str = ""
    sessions: dict[str, dict] = field(default_factory=dict)
    refunds: dict[str, dict] = field(default_factory=dict)
    by_key: dict[str, dict] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    lose: int = 0
    refuse: int = 0
    refund_status: str = "succeeded"

    def pay(self, session):
        session |= {"status": "complete", "payment_status": "paid", "payment_intent": f"pi_{session['id']}"}

    @property
    def session(self):
        (only,) = self.sessions.values()
        return only

    async def answer(self, request):
        self.asked.append(f"{request.method} {request.path}")
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"error": {"message": "Unknown key."}}, status=401)
        if self.refuse:
            return web.json_response({"error": {"message": "Not today."}}, status=self.refuse)
        status, made = self.work(request.method, request.path, dict(await request.post()), request.headers)
        if self.lose:
            self.lose -= 1
            request.transport.close()
        return web.json_response(made, status=status)

    def work(self, method, path, fields, headers):
        key = headers.get("Idempotency-Key")
        if key in self.by_key:
            return 200, self.by_key[key]
        match path.split("/")[2:]:
            case ["checkout", "sessions"]:
                made = self.open(fields)
                self.by_key[key] = self.sessions[made["id"]] = made
            case ["checkout", "sessions", session_id]:
                made = self.sessions[session_id]
            case ["checkout", "sessions", session_id, "expire"]:
                made = self.sessions[session_id]
                if made["status"] != "open":
                    return 400, {"error": {"message": "Only open sessions can expire."}}
                made["status"] = "expired"
            case ["refunds"]:
                made = {"id": f"re_{len(self.refunds) + 1}", "status": self.refund_status, **fields}
                self.by_key[key] = self.refunds[made["id"]] = made
            case ["refunds", refund_id]:
                made = self.refunds[refund_id]
        return 200, made

    def open(self, fields):
        session_id = f"cs_{len(self.sessions) + 1}"
        return {
            "id": session_id, "url": f"{self.url}/pay/{session_id}", "status": "open", "payment_status": "unpaid",
            "client_reference_id": fields["client_reference_id"], "payment_intent": None,
            "amount_total": int(fields["line_items[0][price_data][unit_amount]"]),
            "currency": fields["line_items[0][price_data][currency]"], "expires_at": int(fields["expires_at"]),
            "success_url": fields["success_url"],
        }  # fmt: skip


@pytest.fixture
async def gateway(app):
    """A gateway on loopback that the settings name."""
    double = Gateway()
    server = web.Application()
    server.router.add_route("*", "/{path:.*}", double.answer)
    runner = web.AppRunner(server, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    double.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    before = runtime_module.current()
    named = PaymentSettings(gateway_url=double.url, gateway_key=KEY, gateway_webhook_secret=SECRET)
    settings = {**before.registry.settings, PaymentSettings: named}
    runtime_module.use(changed(before, registry=changed(before.registry, settings=settings)))
    yield double
    runtime_module.use(before)
    await runner.cleanup()
