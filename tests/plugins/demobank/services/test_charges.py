"""The bank's books."""

import asyncio
from datetime import timedelta

import pytest
from comanda.basics import clock
from comanda.contracts import (
    AccountMode,
    AccountState,
    ChargeRequest,
    PaymentAccount,
    PaymentDeclined,
    RefundRequest,
)
from comanda_demobank.models import ChargeState
from comanda_demobank.services import charges


@pytest.fixture
def request_charge(owner):
    async def open_charge(key="payment-1", **fields):
        until = clock.now() + timedelta(hours=1)
        values = {"amount_minor": 1000, "fee_minor": 10, "expires_at": until, **fields}
        charge = ChargeRequest(
            key, store_id=1, currency="EUR", description="Order 1", return_url="https://a.example", **values
        )
        account = PaymentAccount("demo", owner.id, None, 1, AccountMode.TEST, AccountState.READY, frozenset(), "")
        return await charges.open_charge(account, charge)

    return open_charge


async def test_charge_is_opened_once_and_answered_once(request_charge):
    opened = await asyncio.gather(*(request_charge() for _ in range(4)))
    [reference] = {charge.reference for charge in opened}

    await charges.answer_charge(reference, ChargeState.PAID)
    await charges.answer_charge(reference, ChargeState.CLOSED)

    assert (await charges.get_charge(reference)).state is ChargeState.PAID


async def test_charge_that_expired_cannot_be_paid(request_charge):
    charge = await request_charge(expires_at=clock.now() - timedelta(seconds=1))

    assert not (await charges.answer_charge(charge.reference, ChargeState.PAID)).is_open
    assert (await charges.get_charge(charge.reference)).state is ChargeState.OPEN


async def test_refunds_never_exceed_the_charge(request_charge, owner):
    charge = await request_charge()
    await charges.answer_charge(charge.reference, ChargeState.PAID)

    async def refund(key, amount):
        try:
            return await charges.refund_charge(owner.id, RefundRequest(key, charge.reference, amount, "EUR"))
        except PaymentDeclined:
            return None

    found = await asyncio.gather(*(refund(f"refund-{number}", 400) for number in range(4)))
    assert sum(each is not None for each in found) == 2
    again = next(each for each in found if each)
    assert await refund(again, 400) == again
    assert await refund("rest", 200) == "rest"
    assert await refund("more", 1) is None
