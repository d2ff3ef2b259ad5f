"""Drawers of a restaurant, the people who open them, and cash that is booked as payments book it."""

from dataclasses import replace
from itertools import count

import pytest
from comanda import clock
from comanda import runtime as runtime_module
from comanda.accounts.services import issue_token
from comanda.contracts.payments import BookedPayment
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore, line
from comanda_drawer import books
from comanda_drawer.settings import DrawerSettings
from comanda_staff.kinds import STAFF

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

    async def open(self, drawer="Bar", opening_float=100, **headers):
        """Open a drawer that must open, and return its shift."""
        reply = await self.send("POST", "/shifts", {"drawer": drawer, "opening_float": opening_float}, **headers)
        assert reply.status == 201, reply
        return reply.document

    async def shift(self, shift):
        return (await self.get(f"/shifts/{shift['id']}")).document

    async def move(self, shift, kind, amount=None, note=None, **headers):
        body = {"kind": kind, "amount": amount, "note": note}
        return await self.send("POST", f"/shifts/{shift['id']}/movements", body, **headers)

    async def close(self, shift, counted=100, note=None, **headers):
        return await self.send("POST", f"/shifts/{shift['id']}/close", {"counted": counted, "note": note}, **headers)

    async def unassigned(self):
        return (await self.get("/shifts/unassigned"))["data"]

    async def member(self, *permissions):
        """Somebody who works here, with the permission ``orders`` unless others are named."""
        number = next(_numbers)
        of = {"name": "till", "store_id": self.id, "subject_id": number}
        token = await issue_token(STAFF, self.owner.id, permissions or ["orders"], **of)
        return Member(self, number, token.secret)

    async def rows(self):
        """All shifts and movements, for tests that nothing has changed."""
        found = []
        for table in ("drawer_shift", "drawer_movement"):
            found += await sql.fetch(f"SELECT * FROM {table} WHERE store_id = $1 ORDER BY id", self.id)
        return [dict(row) for row in found]

    async def payment(self, minor=1000, drawer=None, actor="owner:1"):
        """Write down a cash payment of an order, and say what is to be booked of it."""
        payment_id = await sql.fetch_value(
            """INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, actor,
                   created_at, finished_at) VALUES ($1, $2, $3, 'cash', 'succeeded', $4, $5, $6, $6) RETURNING id""",
            *(self.owner.id, self.id, self.order_id, minor, actor, clock.now()),
        )
        return self._booked(payment_id, None, minor, drawer, actor)

    async def refund(self, payment, minor, drawer=None, actor="owner:1"):
        """Write down a refund of a payment, and say what is to be booked of it."""
        refund_id = await sql.fetch_value(
            """INSERT INTO payments_refund (owner_id, store_id, order_id, status, amount_minor, reason, actor,
                   created_at, completed_at) VALUES ($1, $2, $3, 'completed', $4, 'x', $5, $6, $6) RETURNING id""",
            *(self.owner.id, self.id, self.order_id, minor, actor, clock.now()),
        )
        return self._booked(payment.payment_id, refund_id, minor, drawer, actor)

    def _booked(self, payment_id, refund_id, minor, drawer, actor):
        of = (self.owner.id, self.id, self.order_id, "cash", minor, "EUR", actor, drawer, clock.now())
        return BookedPayment(payment_id, refund_id, *of)

    async def take(self, minor=1000, drawer=None, actor="owner:1"):
        """Take cash, and return what was booked."""
        payment = await self.payment(minor, drawer, actor)
        await book(payment)
        return payment


async def book(payment):
    """Book a payment or a refund in a transaction, as the plugin payments does."""
    async with sql.transaction():
        await (books.taken if payment.refund_id is None else books.returned)(payment)


@pytest.fixture(name="book")
def book_fixture():
    return book


@pytest.fixture
def new_drawers(client, owner):
    """Make another store of the owner's, with an order that cash is taken for."""

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
    """List the events about shifts so far."""

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
