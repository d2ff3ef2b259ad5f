"""Charges: their legs, the limit, repeats and races."""

import asyncio

import pytest
from comanda.basics import PaymentRequired
from comanda.platform.db import sql
from comanda_wallet import api
from comanda_wallet.api import Charge, EntryKind
from comanda_wallet.services import wallets
from comanda_wallet.services.verification import verify_ledger


async def test_charge_credits_developer_and_platform(wallet, owner, other_owner):
    await wallet.top_up(1000)

    entry = await wallet.charge(300, payee=other_owner, share=240)

    assert (entry.kind, entry.amount_minor, entry.balance_minor, entry.currency) == ("usage", -300, 700, "EUR")
    assert await wallet.legs(entry) == [
        ("wallet", owner.id, -300),
        ("earnings", other_owner.id, 240),
        ("revenue", None, 60),
    ]
    assert (await api.get_earnings(other_owner.id)).balance_minor == 240


async def test_charge_beyond_balance_is_refused(wallet, owner):
    await wallet.top_up(100)
    before = await wallet.counts()

    with pytest.raises(PaymentRequired) as refused:
        await wallet.charge(101, "late")

    assert (refused.value.status, refused.value.code) == (402, "payment_required")
    assert refused.value.message == "The wallet has 1.00 EUR available, and 1.01 EUR are needed."
    assert refused.value.extras == {"balance": 1.0, "currency": "EUR"}
    assert await wallet.counts() == before
    await wallet.top_up(1)
    assert (await wallet.charge(101, "late")).balance_minor == 0


async def test_credit_limit_is_used_up_exactly(wallet, owner):
    await wallets.set_credit_limit(owner.id, 500)

    assert (await wallet.charge(500)).balance_minor == -500
    with pytest.raises(PaymentRequired):
        await wallet.charge(1)

    assert await wallet.balance() == -500


async def test_charge_of_zero_is_recorded(wallet):
    entry = await wallet.charge(0, "free")

    assert (entry.amount_minor, await wallet.legs(entry)) == (0, [])
    assert (await wallet.charge(0, "free")).is_repeat


async def test_repeated_charge_returns_first_entry(wallet):
    await wallet.top_up(1000)
    first = await wallet.charge(300, "same")
    before = await wallet.counts()

    again = await wallet.charge(999, "same")

    assert again == first
    assert (first.is_repeat, again.is_repeat) == (False, True)
    assert await wallet.counts() == before


async def test_kinds_have_references_of_their_own(wallet):
    await wallet.top_up(1000)

    usage = await wallet.charge(100, "same")
    subscription = await wallet.charge(100, "same", kind=EntryKind.SUBSCRIPTION)

    assert (usage.id != subscription.id, await wallet.balance()) == (True, 800)


async def test_parallel_charges_stop_at_limit(wallet, owner, other_owner):
    await wallet.top_up(700)
    await wallets.set_credit_limit(owner.id, 300)

    results = await asyncio.gather(
        *(wallet.charge(30, payee=other_owner, share=20) for _ in range(100)), return_exceptions=True
    )

    refused = [result for result in results if isinstance(result, PaymentRequired)]
    charged = [result for result in results if isinstance(result, api.Entry)]
    assert (len(charged), len(refused)) == (33, 67)
    assert await wallet.balance() == -290
    assert sorted(entry.balance_minor for entry in charged) == list(range(-290, 671, 30))
    assert (await api.get_earnings(other_owner.id)).balance_minor == 33 * 20


async def test_parallel_charges_with_one_reference_charge_once(wallet):
    await wallet.top_up(1000)

    results = await asyncio.gather(*(wallet.charge(100, "same") for _ in range(30)))

    assert len({entry.id for entry in results}) == 1
    assert sum(not entry.is_repeat for entry in results) == 1
    assert await wallet.balance() == 900


async def test_first_entries_of_a_wallet_race(wallet, owner):
    results = await asyncio.gather(*(wallet.top_up(10) for _ in range(20)))

    assert sorted(entry.balance_minor for entry in results) == list(range(10, 201, 10))


async def test_owners_who_charge_each_other_do_not_block(wallet, owner, other_owner):
    for each in (owner, other_owner):
        await api.top_up(each.id, 100_000, "start")

    async def charge(payer, payee, number):
        await api.charge(payer.id, Charge(EntryKind.USAGE, 10, f"call:{number}", "", payee.id, 8))

    pairs = [(owner, other_owner), (other_owner, owner)]
    await asyncio.wait_for(
        asyncio.gather(*(charge(payer, payee, number) for number in range(40) for payer, payee in pairs)), 20
    )

    for each in (owner, other_owner):
        assert (await api.get_wallet(each.id)).balance_minor == 100_000 - 400
        assert (await api.get_earnings(each.id)).balance_minor == 320


async def test_charge_joins_the_open_transaction(wallet):
    await wallet.top_up(1000)
    before = await wallet.counts()

    async def charge_and_fail():
        async with sql.transaction():
            await wallet.charge(300, "rolled-back")
            raise LookupError

    with pytest.raises(LookupError):
        await charge_and_fail()

    assert await wallet.counts() == before
    assert not (await wallet.charge(300, "rolled-back")).is_repeat


async def test_refused_charge_leaves_the_open_transaction_usable(wallet):
    async with sql.transaction():
        with pytest.raises(PaymentRequired):
            await wallet.charge(300)
        await wallet.top_up(50)

    assert await wallet.balance() == 50


@pytest.mark.parametrize(
    ("kind", "amount", "share", "sentence"),
    [
        (EntryKind.TOP_UP, 10, 0, "not a kind of charges"),
        (EntryKind.USAGE, -1, 0, "between 0 and the amount"),
        (EntryKind.USAGE, 10, 11, "between 0 and the amount"),
        (EntryKind.USAGE, 10, -1, "between 0 and the amount"),
    ],
)
async def test_charge_that_makes_no_sense_is_refused(wallet, owner, other_owner, kind, amount, share, sentence):
    before = await wallet.counts()

    with pytest.raises(ValueError, match=sentence):
        await api.charge(owner.id, Charge(kind, amount, "odd", "", other_owner.id, share))

    assert await wallet.counts() == before


async def test_fee_is_recorded_once_and_leaves_the_balance(owner):
    await api.top_up(owner.id, 500, "t")
    first = await api.record_fee(owner.id, 30, "payment-1", "0.30 EUR of payment 1")
    again = await api.record_fee(owner.id, 99, "payment-1")

    assert (first.amount_minor, first.balance_minor, again.is_repeat) == (0, 500, True)
    assert (await api.get_wallet(owner.id)).balance_minor == 500
    assert (await verify_ledger()).problems == []


async def test_fee_must_be_more_than_nothing(owner):
    with pytest.raises(ValueError, match="more than 0"):
        await api.record_fee(owner.id, 0, "payment-1")
