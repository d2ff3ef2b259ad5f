"""The books balance after any sequence of openings, movements, payments, refunds and counts."""

from collections import Counter
from dataclasses import replace

import pytest
from comanda.basics import ValidationFailed, money
from comanda.platform.db import sql
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

names = st.sampled_from(["Bar", "Terrace"])
minors = st.integers(min_value=1, max_value=30_000)
actors = st.sampled_from(["staff:901", "owner"])
actions = st.one_of(
    st.tuples(st.just("open"), names, st.integers(min_value=0, max_value=20_000)),
    st.tuples(st.just("move"), names, st.sampled_from(["paid_in", "paid_out", "no_sale"]), minors),
    st.tuples(st.just("pay"), minors, st.none() | names, actors),
    st.tuples(st.just("refund"), st.integers(min_value=0), st.none() | names, actors),
    st.tuples(st.just("repeat"), st.integers(min_value=0)),
    st.tuples(st.just("close"), names, minors),
)
SOMETIMES = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])

SELECT_SUMS = """
    SELECT s.id, s.status, s.expected_minor, s.counted_minor, s.difference_minor, s.drawer,
        sum(m.amount_minor)::bigint AS sum_minor, bool_or(m.booked_at > s.closed_at) AS has_late
    FROM drawer_shift s JOIN drawer_movement m ON m.shift_id = s.id AND m.owner_id = s.owner_id
    WHERE s.store_id = $1 GROUP BY s.id, s.owner_id ORDER BY s.id
"""
SELECT_RECORDED = """
    SELECT payment_id, refund_id, shift_id, amount_minor FROM drawer_movement
    WHERE store_id = $1 AND payment_id IS NOT NULL
"""


class Day:
    """Runs actions, and tracks the expected cash of the drawers."""

    def __init__(self, drawers, book):
        self.drawers, self.book = drawers, book
        self.open, self.holds, self.booked, self.payments = {}, {}, {}, []
        self.me = f"owner:{drawers.owner.id}"

    def select_shift(self, drawer, actor):
        """Return the shift that cash belongs to; ``LookupError`` if it is refused."""
        if drawer is not None:
            return self.open[drawer]
        mine = max(self.open.values(), default=None) if actor == self.me else None
        return mine or (next(iter(self.open.values())) if len(self.open) == 1 else None)

    async def do(self, action, *given):
        await getattr(self, f"do_{action}")(*given)

    async def do_open(self, drawer, minor):
        body = {"drawer": drawer, "opening_float": money.to_number(minor, "EUR")}
        reply = await self.drawers.send("POST", "/shifts", body)
        assert reply.status == (409 if drawer in self.open else 201)
        if reply.status == 201:
            self.open[drawer], self.holds[reply["id"]] = reply["id"], minor

    async def do_move(self, drawer, kind, minor):
        amount = None if kind == "no_sale" else money.to_number(minor, "EUR")
        # Where the drawer is not open, the newest shift of all is tried, which may be closed.
        latest = self.open.get(drawer) or max(self.holds, default=0)
        refused = 409 if latest in self.holds else 404
        reply = await self.drawers.create_movement({"id": latest}, kind, amount)
        assert reply.status == (201 if latest in self.open.values() else refused)
        if reply.status == 201:
            self.holds[latest] += {"paid_in": minor, "paid_out": -minor, "no_sale": 0}[kind]

    async def do_pay(self, minor, drawer, actor):
        payment = await self.drawers.create_payment(minor, drawer, self.me if actor == "owner" else actor)
        await self.record(payment, minor)

    async def do_refund(self, which, drawer, actor):
        if not self.payments:
            return
        paid = self.payments[which % len(self.payments)]
        if paid.refund_id is not None:
            return
        minor = paid.amount_minor // 2
        refund = await self.drawers.create_refund(paid, minor, drawer, self.me if actor == "owner" else actor)
        await self.record(refund, -minor)

    async def record(self, payment, minor):
        try:
            shift_id = self.select_shift(payment.drawer, payment.actor)
        except LookupError:
            with pytest.raises(ValidationFailed):
                await self.book(payment)
            return
        await self.book(payment)
        self.payments.append(payment)
        self.booked[payment.payment_id, payment.refund_id] = (shift_id, minor)
        if shift_id is not None:
            self.holds[shift_id] += minor

    async def do_repeat(self, which):
        if self.payments:
            again = self.payments[which % len(self.payments)]
            await self.book(replace(again, drawer=next(iter(self.open), None)))

    async def do_close(self, drawer, counted):
        if drawer in self.open:
            shift_id = self.open.pop(drawer)
            reply = await self.drawers.close_shift({"id": shift_id}, money.to_number(counted, "EUR"))
            assert reply["expected"] == money.to_number(self.holds[shift_id], "EUR")
            assert reply["difference"] == money.to_number(counted - self.holds[shift_id], "EUR")


@given(day=st.lists(actions, max_size=25))
@SOMETIMES
async def test_expected_is_the_sum_and_cash_is_recorded_once(new_drawers, published, book, day):
    drawers = await new_drawers()
    seen = len(await published())
    kept = Day(drawers, book)
    for action in day:
        await kept.do(*action)

    shifts = await sql.fetch(SELECT_SUMS, drawers.id)
    assert {row["id"]: row["sum_minor"] for row in shifts} == kept.holds
    assert {row["id"] for row in shifts if row["status"] == "open"} == set(kept.open.values())
    closed = [row for row in shifts if row["status"] == "closed"]
    assert all(row["expected_minor"] == row["sum_minor"] and not row["has_late"] for row in closed)
    noted = await sql.fetch(SELECT_RECORDED, drawers.id)
    assert len(noted) == len(kept.booked)
    assert {
        (row["payment_id"], row["refund_id"]): (row["shift_id"], row["amount_minor"]) for row in noted
    } == kept.booked
    told = Counter((name, data["shift_id"]) for name, data in (await published())[seen:] if name.startswith("shift."))
    assert told == Counter(
        [("shift.opened", row["id"]) for row in shifts] + [("shift.closed", row["id"]) for row in closed]
    )
    for _, data in filter(lambda event: event[0] == "shift.closed", (await published())[seen:]):
        row = next(row for row in closed if row["id"] == data["shift_id"])
        values = (row["expected_minor"], row["counted_minor"], row["difference_minor"])
        assert (data["expected"], data["counted"], data["difference"]) == tuple(
            money.to_decimal_string(value, "EUR") for value in values
        )
