"""Drawers of a restaurant, their staff, and cash payments."""

from dataclasses import replace
from itertools import count

import pytest
from comanda.accounts.services import issue_token
from comanda.basics import clock
from comanda.contracts import BookedPayment
from comanda.devkit.testing import TestStore, line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_drawer import payment_books
from comanda_drawer.settings import DrawerSettings
from comanda_staff.caller_kinds import STAFF

_numbers = count(1)


class Member:
    """A member of staff, calling the routes of staff."""

    def __init__(self, store, subject_id, secret):
        self.store, self.actor, self.secret = store, f"staff:{subject_id}", secret
        self.headers = {"Authorization": f"Bearer {secret}"}

    async def send(self, method, path="", body=None, **headers):
        return await self.store.send_to(f"/api/v1/staff/shifts{path}", method, body, **{**self.headers, **headers})


class Drawers(TestStore):
    """A store's drawers, as its owner handles them."""

    async def open_shift(self, drawer="Bar", opening_float=100, **headers):
        """Open a drawer and return its shift."""
        reply = await self.send("POST", "/shifts", {"drawer": drawer, "opening_float": opening_float}, **headers)
        assert reply.status == 201, reply
        return reply.document

    async def get_shift(self, shift):
        return (await self.get(f"/shifts/{shift['id']}")).document

    async def create_movement(self, shift, kind, amount=None, note=None, **headers):
        body = {"kind": kind, "amount": amount, "note": note}
        return await self.send("POST", f"/shifts/{shift['id']}/movements", body, **headers)

    async def close_shift(self, shift, counted=100, note=None, **headers):
        return await self.send("POST", f"/shifts/{shift['id']}/close", {"counted": counted, "note": note}, **headers)

    async def list_held_cash(self):
        return [each["amount"] for each in (await self.get("/driver-cash"))["data"]]

    async def list_expected(self, *shifts):
        return [(await self.get_shift(shift))["expected"] for shift in shifts]

    async def list_unassigned(self):
        return (await self.get("/shifts/unassigned"))["data"]

    async def add_member(self, *permissions):
        """Create a staff member, with the permission ``orders`` by default."""
        number = next(_numbers)
        of = {"name": "till", "store_id": self.id, "subject_id": number}
        token = await issue_token(STAFF, self.owner.id, permissions or ["orders"], **of)
        return Member(self, number, token.secret)

    async def list_rows(self):
        """Return all shifts and movements, to assert that nothing changed."""
        found = []
        for table in ("drawer_shift", "drawer_movement"):
            found += await sql.fetch(f"SELECT * FROM {table} WHERE store_id = $1 ORDER BY id", self.id)
        return [dict(row) for row in found]

    async def create_payment(self, minor=1000, drawer=None, actor="owner:1"):
        """Insert a cash payment of an order, and return it for booking."""
        payment_id = await sql.fetch_value(
            """INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, actor,
                   created_at, finished_at) VALUES ($1, $2, $3, 'cash', 'succeeded', $4, $5, $6, $6) RETURNING id""",
            *(self.owner.id, self.id, self.order_id, minor, actor, clock.now()),
        )
        return self._to_booked_payment(payment_id, None, minor, drawer, actor)

    async def create_refund(self, payment, minor, drawer=None, actor="owner:1"):
        """Insert a refund of a payment, and return it for booking."""
        refund_id = await sql.fetch_value(
            """INSERT INTO payments_refund (owner_id, store_id, order_id, status, amount_minor, reason, actor,
                   created_at, completed_at) VALUES ($1, $2, $3, 'completed', $4, 'x', $5, $6, $6) RETURNING id""",
            *(self.owner.id, self.id, self.order_id, minor, actor, clock.now()),
        )
        return self._to_booked_payment(payment.payment_id, refund_id, minor, drawer, actor)

    def _to_booked_payment(self, payment_id, refund_id, minor, drawer, actor):
        of = (self.owner.id, self.id, self.order_id, "cash", minor, "EUR", actor, drawer, clock.now())
        return BookedPayment(payment_id, refund_id, *of)

    async def take_cash(self, minor=1000, drawer=None, actor="owner:1"):
        """Take cash and return its payment."""
        payment = await self.create_payment(minor, drawer, actor)
        await book(payment)
        return payment


async def book(payment):
    """Book a payment or a refund in a transaction, as the plugin payments does."""
    async with sql.transaction():
        await (payment_books.record_payment if payment.refund_id is None else payment_books.record_refund)(payment)


@pytest.fixture(name="book")
def book_fixture():
    return book


@pytest.fixture
def new_drawers(client, owner):
    """Return a function that creates a store of the owner, with an order to pay."""

    async def make():
        made = Drawers(client, owner, await owner.store())
        made.soup = await made.item("Soup", 10)
        made.order_id = (await made.order(line(made.soup, 1)))["id"]
        return made

    return make


@pytest.fixture
async def drawers(new_drawers):
    return await new_drawers()


@pytest.fixture
async def elsewhere(new_drawers):
    """Another store of the same owner."""
    return await new_drawers()


@pytest.fixture
def shift_events(published):
    """Return a function that lists the published events of shifts."""

    async def read():
        return [(name, data) for name, data in await published() if name.startswith("shift.")]

    return read


@pytest.fixture
def strict(app):
    """Refuse drawers that go short."""
    before = runtime_module.current()
    settings = {**before.registry.settings, DrawerSettings: DrawerSettings(refuse_short=True)}
    runtime_module.use(replace(before, registry=replace(before.registry, settings=settings)))
    yield
    runtime_module.use(before)


@pytest.fixture
async def driver(drawers):
    """A driver who collected 30.00 for two orders."""
    body = {"name": "Rui Costa", "phone": "+351961234567"}
    made = await drawers.send_to("/api/v1/drivers", "POST", body)
    for soups in (1, 2):
        order = await drawers.order(line(drawers.soup, soups), type="delivery", address="Rua da Prata 8")
        path = f"/orders/{order['id']}"
        await drawers.send("POST", f"{path}/assign", {"driver_id": made["id"]})
        reply = await drawers.send(
            "PUT", f"{path}/delivery-status", {"status": "delivered", "cash_collected": 10 * soups}
        )
        assert reply.status == 200, reply
    return made["id"]
