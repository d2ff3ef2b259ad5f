"""Tenders: the amount due, cash rounding and change."""

import pytest
from comanda.basics import ValidationFailed
from comanda_payments.services.bills import tenders
from hypothesis import given
from hypothesis import strategies as st

minors = st.integers(min_value=0, max_value=10**9)


async def test_only_cash_may_exceed_amount_due(till, published):
    before = await published()

    reply = await till.pay("card_external", 20.01)

    assert reply.errors == {"amount": ["Only cash may exceed the amount due, 20.00 EUR."]}
    assert (await till.payments(), await published()) == ([], before)


async def test_final_cash_payment_is_rounded_and_total_unchanged(store, till_of):
    await store.send("PUT", "/settings", {"cash_rounding": 0.05})
    tea = await store.item("Tea", price=4.32)
    till = till_of(await store.order({"item_id": tea["id"]}))

    part = await till.pay("card_external", 1)
    cash = await till.pay("cash", 5)

    assert part["rounding"] == 0
    assert (cash["amount"], cash["rounding"], cash["tendered"], cash["change"]) == (3.32, -0.02, 5, 1.7)
    assert await till.money() == ("paid", 4.32, 0)
    assert (await till.order())["total"] == 4.32


@pytest.mark.parametrize(
    ("due", "step", "given", "amount", "rounding", "tendered", "change"),
    [(1003, 5, 1003, 1003, 2, 1005, 0), (1003, 5, 1004, 1003, 2, 1005, 0), (1060, 100, 1099, 1060, 40, 1100, 0),
     (1003, 5, 1005, 1003, 2, 1005, 0), (1003, 5, 2000, 1003, 2, 2000, 995), (1002, 5, 1000, 1002, -2, 1000, 0),
     (1002, 5, 1002, 1002, -2, 1002, 2), (1003, 5, 1002, 1002, 0, 1002, 0)],
)  # fmt: skip
def test_cash_that_covers_the_amount_due_pays_it_rounded(due, step, given, amount, rounding, tendered, change):
    assert tenders.create_cash_tender(due, given, 0, step) == tenders.Tender(amount, 0, rounding, tendered, change)


async def test_order_keeps_the_rounding_of_its_payments(store, till_of):
    await store.send("PUT", "/settings", {"cash_rounding": 0.05})
    tea = await store.item("Tea", price=10.03)
    till = till_of(await store.order({"item_id": tea["id"]}))
    assert (await till.order())["rounding"] == 0

    paid = await till.pay("cash", 10.03)

    assert [paid[name] for name in ("amount", "rounding", "tendered", "change")] == [10.03, 0.02, 10.05, 0]
    order = await till.order()
    assert (order["rounding"], order["total"], order["paid_total"], order["is_paid"]) == (0.02, 10.03, 10.03, True)
    listed = (await store.get("/orders"))["data"][0]
    assert listed["rounding"] == 0.02


@given(left=minors, given=st.none() | minors, step=st.sampled_from([0, 5, 10, 100]))
def test_cash_in_drawer_is_tendered_less_change(left, given, step):
    if given == 0 < tenders.create_cash_tender(left, None, 0, step).tendered_minor:
        with pytest.raises(ValidationFailed, match="more than 0"):
            tenders.create_cash_tender(left, given, 0, step)
        return

    tender = tenders.create_cash_tender(left, given, 0, step)

    assert tender.tendered_minor - tender.change_minor == tender.amount_minor + tender.rounding_minor
    assert 0 <= tender.amount_minor <= left
    assert tender.change_minor >= 0
    assert abs(tender.rounding_minor) * 2 <= step
    assert step == 0 or tender.rounding_minor == 0 or (tender.amount_minor + tender.rounding_minor) % step == 0
