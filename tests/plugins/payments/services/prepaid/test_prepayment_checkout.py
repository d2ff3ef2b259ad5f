"""Payers of prepayments: whatever is lost, dies or happens at once, a prepayment is paid once or not at all."""

import asyncio
from functools import partial
from itertools import count

import pytest
from comanda.devkit.testing.payment_providers import (
    RACERS,
    ProviderFixtures,
    reconcile,
    reconcile_later,
    run_until_killed,
)
from comanda.devkit.testing.tasks import run_task
from comanda.platform.db import sql
from comanda_payments.services.prepaid import prepayment_checkout

AMOUNTS = """
    SELECT q.status, q.paid_minor, q.refunded_minor,
        (SELECT count(*) FROM payments_payment p WHERE p.prepayment_id = q.id AND p.status = 'succeeded') AS payments
    FROM payments_prepayment q WHERE q.id = $1
"""


async def get_amounts(prepayment):
    return tuple(await sql.fetch_one(AMOUNTS, prepayment["id"]))


async def test_all_at_once_pay_once(payer, new_deposit, clock, published):
    deposit = await new_deposit()

    urls = await asyncio.gather(*(payer.start(deposit["id"]) for _ in range(RACERS)))
    await payer.bank.pay(next(url for url in urls if "demobank" in url))
    await asyncio.gather(
        *(payer.come_back(deposit["id"]) for _ in range(RACERS)), *(reconcile(clock) for _ in range(RACERS))
    )

    assert await get_amounts(deposit) == ("paid", 4000, 0, 1)
    assert list(await payer.bank.list_collected()) == [4000]
    changes = [data["status"] for name, data in await published() if name == "prepayment.changed"]
    assert changes == ["paid"]


PAGE = "/reservations/1?expires=2"


async def test_declined_payment_can_be_tried_again(payer, new_deposit):
    deposit = await new_deposit()
    first = await payer.start(deposit["id"])
    assert await payer.start(deposit["id"]) == first
    await payer.bank.decline(first)

    second = await payer.start(deposit["id"])
    await payer.bank.pay(second)

    assert second != first
    assert await payer.come_back(deposit["id"]) == PAGE
    assert await get_amounts(deposit) == ("paid", 4000, 0, 1)


async def test_what_nobody_pays_in_time_is_cancelled(payer, new_deposit, clock, published):
    deposit = await new_deposit(minutes=30)
    url = await payer.start(deposit["id"])

    clock.advance(minutes=31)
    await asyncio.gather(*(run_task("payments_reconcile") for _ in range(RACERS)))
    await payer.bank.pay(url)
    await reconcile_later(clock)

    assert await get_amounts(deposit) == ("cancelled", 0, 0, 0)
    assert await payer.bank.list_collected() == []
    assert "demobank" not in await payer.start(deposit["id"])
    assert [data["status"] for name, data in await published() if name == "prepayment.changed"] == ["cancelled"]


async def test_what_was_paid_before_the_end_counts(payer, new_deposit, clock):
    deposit = await new_deposit(minutes=30)
    await payer.bank.pay(await payer.start(deposit["id"]))

    clock.advance(minutes=31)
    await run_task("payments_reconcile")

    assert await get_amounts(deposit) == ("paid", 4000, 0, 1)


class TestLostAndKilled(ProviderFixtures):
    """What is interrupted between the bank and the database."""

    @pytest.mark.parametrize("step", ["start", "check"])
    async def test_lost_answer_pays_once(self, step, interruptions, payer, new_deposit, clock):
        deposit = await new_deposit()
        interruptions.lost_steps.append(step)

        await payer.start(deposit["id"])
        url = await payer.start(deposit["id"])
        await payer.bank.pay(url)
        await reconcile(clock)
        await reconcile(clock)

        assert interruptions.lost_steps == []
        assert await get_amounts(deposit) == ("paid", 4000, 0, 1)

    async def test_kill_anywhere_pays_and_refunds_once(self, interruptions, payer, new_deposit, clock, owner):
        for number in count(1):
            deposit = await new_deposit(minutes=600)
            start = partial(prepayment_checkout.start_payment, owner.id, deposit["id"])
            is_started = await run_until_killed(interruptions, number, start)
            await payer.bank.pay(await start())
            clock.advance(minutes=2)
            is_checked = await run_until_killed(interruptions, number, lambda: run_task("payments_reconcile"))
            await reconcile_later(clock)
            assert await get_amounts(deposit) == ("paid", 4000, 0, 1), f"after a kill before step {number}"

            refund = partial(payer.act, deposit, "refund", reason="Closed")
            is_refunded = await run_until_killed(interruptions, number, refund)
            await refund()
            is_returned = await run_until_killed(interruptions, number, lambda: run_task("payments_reconcile"))
            await reconcile_later(clock)
            assert await get_amounts(deposit) == ("refunded", 4000, 4000, 1), f"after a kill before step {number}"
            if is_started and is_checked and is_refunded and is_returned:
                break

        assert list(await payer.bank.list_refunded()) == [4000] * number
