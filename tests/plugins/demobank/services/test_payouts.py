"""The bank pays out what is due to an account, once."""

import asyncio
from datetime import timedelta

import pytest
from comanda.basics import clock
from comanda.contracts import (
    AccountMode,
    AccountState,
    ChargeRequest,
    DisputeState,
    PaymentAccount,
    PayoutState,
    RefundRequest,
)
from comanda_demobank.models import ChargeState
from comanda_demobank.services import charges, payouts
from comanda_demobank.services.payouts import DemoPayouts

bank = DemoPayouts()


@pytest.fixture
def account_of(owner):
    def make(account_id):
        return PaymentAccount("demo", owner.id, None, account_id, AccountMode.TEST, AccountState.READY, frozenset(), "")

    return make


@pytest.fixture
def account(account_of):
    return account_of(1)


@pytest.fixture
def pay(account):
    """Pay a charge, and return its reference."""

    async def make(key="payment-1", amount=1000, fee=10, of=account, currency="EUR"):
        expires_at = clock.now() + timedelta(hours=1)
        request = ChargeRequest(key, 1, amount, fee, currency, "Order 1", "https://a.example", expires_at)
        charge = await charges.open_charge(of, request)
        await charges.answer_charge(charge.reference, ChargeState.PAID)
        return charge.reference

    return make


@pytest.fixture
def read(account):
    """Return the amounts of payouts, each with those of its parts."""

    async def read_all(of=account):
        found = await bank.list_payouts(of, clock.now() - timedelta(days=1))
        parts = [await bank.list_parts(of, each.reference, 100) for each in found]
        return [
            (each.amount_minor, [part.amount_minor for part in made]) for each, made in zip(found, parts, strict=True)
        ]

    return read_all


async def test_whoever_pays_out_at_once_pays_once(pay, read):
    first, _ = await pay(), await pay("payment-2", 500, 0)

    await asyncio.gather(*(payouts.pay_out(first) for _ in range(8)))

    [(amount, parts)] = await read()
    assert (amount, sorted(parts)) == (1490, [500, 1000])


async def test_payout_is_of_one_account_and_one_currency(pay, read, account_of):
    first = await pay()
    await pay("payment-2", of=account_of(2))
    await pay("payment-3", currency="USD")

    await payouts.pay_out(first)

    assert await read() == [(990, [1000])]
    assert await read(account_of(2)) == []


async def test_what_is_taken_back_waits_for_the_next_payout(pay, read, account):
    first = await pay()
    await payouts.pay_out(first)
    await charges.refund_charge(account.owner_id, RefundRequest("refund-1", first, 400, "EUR"))
    await charges.open_dispute(first)
    await charges.decide_dispute(first, DisputeState.LOST)
    await payouts.pay_out(first)
    assert len(await read()) == 1

    second = await pay("payment-2", 3000, 0)
    await payouts.pay_out(second)

    assert await read() == [(990, [1000]), (2000, [3000, -400, -600])]


async def test_payout_that_came_back_stays_so(pay, account):
    reference = await pay()
    await payouts.finish(reference, PayoutState.PAID)
    await payouts.pay_out(reference)

    for state in (PayoutState.FAILED, PayoutState.PAID):
        await payouts.finish(reference, state)

    [found] = await bank.list_payouts(account, clock.now() - timedelta(days=1))
    assert (found.state, found.failure) == (PayoutState.FAILED, "The bank returned the payout.")
    assert await bank.list_parts(account, "1-nothing", 100) == []


async def test_production_has_no_payouts(pay, account, in_production):
    assert await bank.list_payouts(account, clock.now()) == []
