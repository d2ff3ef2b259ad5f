"""The operator's account and fee: lent by the operator alone, withheld by providers that can, kept in the ledger."""

import pytest
from comanda.platform.db import sql
from comanda_payments.services.accounts import terms
from comanda_payments.services.accounts.fees import Fee
from comanda_wallet.services.verification import verify_ledger

SELECT_FEES = """
    SELECT e.amount_minor, e.balance_minor, l.account, l.amount_minor AS leg_minor
    FROM wallet_entry e JOIN wallet_leg l ON l.entry_id = e.id AND l.owner_id = e.owner_id
    WHERE e.owner_id = $1 AND e.kind = 'fee' ORDER BY e.id, l.account
"""


async def list_fees(owner):
    return [tuple(row) for row in await sql.fetch(SELECT_FEES, owner.id)]


@pytest.mark.parametrize(
    ("fee", "amount", "expected"),
    [(Fee(), 1000, 0), (Fee(15_000), 1000, 15), (Fee(15_000, 10), 1000, 25), (Fee(5_000), 99, 0), (Fee(5_000), 100, 1),
     (Fee(0, 500), 100, 100), (Fee(1_000_000, 1), 7, 7)],
)  # fmt: skip
def test_fee_is_rounded_half_up_and_at_most_the_amount(fee, amount, expected):
    assert fee.get_minor(amount) == expected


async def test_fee_of_lent_account_is_in_the_ledger_once(lent, owner, store, till, reconcile_later):
    await terms.set_fee(owner.id, None, Fee(99_000))
    await terms.set_fee(owner.id, store.id, Fee(20_000, 5))
    assert (await till.pay("stripe"))["fee"] == 0.45
    assert await list_fees(owner) == []

    lent.pay(lent.session)
    await reconcile_later()
    await reconcile_later()

    assert await list_fees(owner) == [(0, 0, "cash", -45), (0, 0, "revenue", 45)]
    assert (await verify_ledger()).problems == []
    shown = (await store.send_to("/api/v1/payment-terms")).document
    assert shown["lends_account"] is True
    assert [(each["restaurant_id"], each["percent"], each["fixed"]) for each in shown["fees"]] == [(store.id, 2, 0.05)]


async def test_fee_of_a_prepayment_is_in_the_ledger_once(paid_deposit, owner, store, reconcile_later):
    await terms.set_fee(owner.id, store.id, Fee(20_000, 5))

    await paid_deposit(4000)
    await reconcile_later()

    assert await list_fees(owner) == [(0, 0, "cash", -85), (0, 0, "revenue", 85)]
    assert (await verify_ledger()).problems == []


async def test_account_with_own_key_has_no_fee(gateway, account, owner, store, till):
    await terms.set_fee(owner.id, store.id, Fee(20_000))

    assert (await till.pay("stripe"))["fee"] == 0


async def test_failed_payment_has_no_fee_in_the_ledger(lent, owner, till, reconcile_later):
    await terms.set_fee(owner.id, None, Fee(20_000))
    await till.pay("stripe")
    lent.session["status"] = "expired"

    await reconcile_later()

    assert await list_fees(owner) == []
