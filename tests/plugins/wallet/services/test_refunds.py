"""Refunds: at most the charge, in proportion, once per reference."""

import asyncio

import pytest
from comanda.basics import NotFound, ValidationFailed
from comanda_wallet import api
from comanda_wallet.api import EntryKind, Refund


@pytest.fixture
async def charged(wallet, other_owner):
    """A wallet of 1000 that was charged 301, of which a developer earned 201."""
    await wallet.top_up(1000)
    await wallet.charge(301, "charge", payee=other_owner, share=201)
    return wallet


@pytest.fixture
def give_back(owner):
    async def refund(amount_minor, reference="refund", charge_reference="charge", kind=EntryKind.USAGE):
        return await api.refund(owner.id, Refund(kind, charge_reference, reference, amount_minor, "Sorry"))

    return refund


async def test_full_refund_reverses_all_legs(charged, give_back, owner, other_owner):
    entry = await give_back(None)

    assert (entry.kind, entry.amount_minor, entry.balance_minor) == ("refund", 301, 1000)
    assert await charged.legs(entry) == [
        ("wallet", owner.id, 301),
        ("earnings", other_owner.id, -201),
        ("revenue", None, -100),
    ]
    earnings = await api.get_earnings(other_owner.id)
    assert (earnings.balance_minor, earnings.earned_minor, earnings.refunded_minor) == (0, 201, 201)


async def test_partial_refunds_leave_nothing_behind(charged, give_back, other_owner):
    for number, amount in enumerate((100, 1, 1, 99, 100)):
        await give_back(amount, f"refund:{number}")

    assert await charged.balance() == 1000
    assert (await api.get_earnings(other_owner.id)).balance_minor == 0


@pytest.mark.parametrize("amount", [0, -5, 302])
async def test_refund_beyond_charge_is_refused(charged, give_back, amount):
    before = await charged.counts()

    with pytest.raises(ValidationFailed) as refused:
        await give_back(amount)

    assert refused.value.errors == {"amount": ["Must be more than 0 and at most 3.01, what is left of the charge."]}
    assert await charged.counts() == before


async def test_parallel_refunds_give_back_the_charge_once(charged, give_back):
    results = await asyncio.gather(*(give_back(50, f"refund:{n}") for n in range(20)), return_exceptions=True)

    assert sum(isinstance(result, ValidationFailed) for result in results) == 14
    assert await charged.balance() == 699 + 300


async def test_repeated_refund_returns_first(charged, give_back):
    first = await give_back(None)
    before = await charged.counts()

    again = await give_back(None)

    assert (again, again.is_repeat) == (first, True)
    assert await charged.counts() == before


@pytest.mark.parametrize(("reference", "kind"), [("unknown", EntryKind.USAGE), ("charge", EntryKind.SUBSCRIPTION)])
async def test_refund_of_unknown_charge_is_refused(charged, give_back, reference, kind):
    before = await charged.counts()

    with pytest.raises(NotFound):
        await give_back(1, charge_reference=reference, kind=kind)

    assert await charged.counts() == before


async def test_refund_of_other_owners_charge_is_refused(charged, other_owner):
    before = await charged.counts()

    with pytest.raises(NotFound):
        await api.refund(other_owner.id, Refund(EntryKind.USAGE, "charge", "refund"))

    assert await charged.counts() == before
