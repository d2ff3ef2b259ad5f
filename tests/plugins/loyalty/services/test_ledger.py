"""The ledger after any sequence of orders, refunds, cancellations, corrections and expiries."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_loyalty.models import LoyaltyEntryKind
from comanda_loyalty.services import ledger
from comanda_loyalty.services.ledger import NewEntry
from comanda_loyalty.tasks import expire_points
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("order"), st.integers(1, 3), st.booleans()),
        st.tuples(st.just("refund"), st.integers(0, 5), st.integers(1, 2500)),
        st.tuples(st.just("cancel"), st.integers(0, 5)),
        st.tuples(st.just("reopen"), st.integers(0, 5)),
        st.tuples(st.just("adjust"), st.integers(-20, 40).filter(bool)),
        st.tuples(st.just("wait"), st.integers(1, 50)),
        st.tuples(st.just("repeat"), st.integers(0, 5)),
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture
async def reward(store, set_programme):
    await set_programme(expires_after_months=1)
    reply = await store.send("POST", "/loyalty/rewards", {"name": "5 off", "type": "fixed", "value": 5, "points": 20})
    return reply["id"]


class Walk:
    """A customer who orders, returns, waits; what they have is what the parts of their history sum to."""

    def __init__(self, store, customer, soup, reward, clock, handle):
        self.store, self.customer, self.soup, self.reward = store, customer, soup, reward
        self.clock, self.handle, self.orders = clock, handle, []

    async def take(self, step):
        kind, *values = step
        await getattr(self, f"take_{kind}")(*values)

    async def take_order(self, count, with_reward):
        before = await self.customer.points()
        reply = await self.customer.place(line(self.soup, count), reward=self.reward if with_reward else None)
        assert reply.status == (422 if with_reward and before < 20 else 201), reply
        if reply.status == 201:
            paid = await self.store.send("POST", f"/orders/{reply['id']}/payments", {"method": "cash"})
            assert paid.status == 201
            self.orders.append(reply.document)
            await self.handle(reply.document)
            earned = int(reply["total"])
            assert await self.customer.points() == before + earned - (20 if with_reward else 0)

    async def take_refund(self, index, cents):
        await self._change(index, "POST", "refunds", {"reason": "Cold", "amount": cents / 100})

    async def take_cancel(self, index):
        await self._change(index, "PUT", "status", {"status": "cancelled"})

    async def take_reopen(self, index):
        await self._change(index, "PUT", "status", {"status": "preparing"})

    async def take_adjust(self, points):
        before = await self.customer.points()
        reply = await self.customer.adjust(points)
        is_possible = points > 0 or before + points >= 0
        assert reply.status == (201 if is_possible else 422)
        assert await self.customer.points() == before + (points if is_possible else 0)

    async def take_wait(self, days):
        self.clock.advance(days=days)
        before = await self.customer.points()
        await expire_points()
        after = await self.customer.points()
        assert after == before or 0 <= after < before

    async def take_repeat(self, index):
        if self.orders:
            before = await self.customer.entries()
            await self.handle(self.orders[index % len(self.orders)])
            assert await self.customer.entries() == before

    async def _change(self, index, method, path, body):
        if self.orders:
            order = self.orders[index % len(self.orders)]
            reply = await self.store.send(method, f"/orders/{order['id']}/{path}", body)
            assert reply.status < 500, reply
            await self.handle(order)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
async def test_ledger_balances_after_any_history(store, soup, reward, clock, handle, new_customer, check_ledger, steps):
    walk = Walk(store, await new_customer(), soup, reward, clock, handle)

    for step in steps:
        await walk.take(step)

    await check_ledger()


async def test_database_refuses_a_reference_twice(ada, paid_order, store):
    account = await ledger.find_account(store.owner.id, store.id, ada.id)

    with pytest.raises(Exception, match="loyalty_entry_reference"):
        await ledger.write_entry(
            account, NewEntry(LoyaltyEntryKind.EARN, 20, "x", reference=f"order:{paid_order['id']}:1")
        )

    assert await sql.fetch_value("SELECT balance FROM loyalty_account WHERE customer_id = $1", ada.id) == 20
