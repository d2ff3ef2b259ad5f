"""Refunds at Mollie: those made there are booked here once, and those made here are made there once."""

import asyncio

import pytest

RACERS = 8


@pytest.fixture
async def account(connect):
    reply = await connect()
    assert reply.status == 201
    return reply.document


@pytest.fixture
async def paid(api, account, pay, send):
    """A payment of 10.00 that was made."""
    assert (await pay()).status == 201
    api.pay(api.payment)
    assert await send(account) == 200
    return api.payment


@pytest.fixture
def read(store, order):
    """Return what was paid and refunded, and the refunds."""

    async def get():
        found = await store.get(f"/orders/{order['id']}")
        refunds = (await store.get(f"/orders/{order['id']}/refunds"))["data"]
        return found["paid_total"], found["refunded_total"], [(each["amount"], each["reason"]) for each in refunds]

    return get


@pytest.fixture
def refund(store, order):
    async def make(amount, key="k"):
        body = {"reason": "Cold", "amount": amount}
        return await store.send("POST", f"/orders/{order['id']}/refunds", body, Idempotency_Key=key)

    return make


@pytest.fixture
def check(store, account):
    async def ask():
        assert (await store.send_to(f"/api/v1/payment-accounts/{account['id']}/check", "POST")).status == 200

    return ask


@pytest.mark.parametrize("way", ["webhook", "check"])
async def test_refund_made_in_mollie_is_booked_once(api, account, paid, send, check, read, published, way):
    api.refund(paid, "4.00")
    ways = {"webhook": lambda: send(account), "check": check}

    await ways[way]()
    await asyncio.gather(*(each() for each in ways.values() for _ in range(RACERS)))

    assert await read() == (10, 4, [(4, "Refunded at the provider")])
    assert [name for name, _ in await published() if name == "refund.completed"] == ["refund.completed"]


async def test_all_at_once_book_each_refund_once(api, account, paid, send, check, read):
    api.refund(paid, "4.00")
    api.refund(paid, "6.00")

    await asyncio.gather(*(each() for each in (lambda: send(account), check) for _ in range(RACERS)))

    paid_total, refunded_total, refunds = await read()
    assert (paid_total, refunded_total, sorted(amount for amount, _ in refunds)) == (10, 10, [4, 6])


async def test_refund_counts_once_it_has_reached_the_payer(api, account, paid, send, read):
    made = api.refund(paid, "4.00", status="pending")
    assert await send(account) == 200
    assert await read() == (10, 0, [])

    made["status"] = "refunded"
    assert await send(account) == 200

    assert (await read())[1] == 4


async def test_own_refund_is_not_booked_again(api, account, paid, send, check, refund, read):
    assert (await refund(4)).status == 201

    await send(account)
    await check()

    assert await read() == (10, 4, [(4, "Cold")])
    assert len(api.refunds) == 1


async def test_refund_is_made_once_after_its_key_was_forgotten(api, paid, refund, read, clock, run_task):
    api.lose = 2  # the list of refunds, then the refund itself
    api.asked.clear()
    assert (await refund(4))["status"] == "pending"
    api.lose = 1
    clock.advance(minutes=2)
    await run_task("payments_reconcile")
    api.lose = 0
    for _ in range(3):
        clock.advance(hours=2)
        await run_task("payments_reconcile")

    assert (await read())[1] == 4
    assert [each["amount"]["value"] for each in api.refunds.values()] == ["4.00"]


@pytest.fixture
def lose_refunds(api, monkeypatch):
    """Lose the answers of Mollie that say that a refund was made."""
    make = api.refund

    def make_and_lose(*arguments, **fields):
        api.lose = 1
        return make(*arguments, **fields)

    monkeypatch.setattr(api, "refund", make_and_lose)


async def test_own_refund_whose_answer_was_lost_is_not_booked_as_another(
    api, account, paid, lose_refunds, send, check, refund, read, clock, run_task
):
    assert (await refund(4))["status"] == "pending"

    assert await send(account) == 200
    await check()

    assert await read() == (10, 0, [(4, "Cold")])
    clock.advance(minutes=2)
    await run_task("payments_reconcile")
    assert await read() == (10, 4, [(4, "Cold")])


async def test_lost_refund_is_found_hours_later(api, paid, lose_refunds, refund, read, clock, run_task):
    assert (await refund(4))["status"] == "pending"
    assert len(api.refunds) == 1

    clock.advance(hours=3)
    await run_task("payments_reconcile")

    assert (await read())[1] == 4
    assert len(api.refunds) == 1


async def test_refund_that_was_cancelled_in_mollie_fails(api, paid, refund, read, clock, run_task):
    api.refund_status = "pending"
    assert (await refund(4))["status"] == "pending"
    [made] = api.refunds.values()
    made["status"] = "canceled"

    clock.advance(hours=1)
    await run_task("payments_reconcile")

    assert await read() == (10, 0, [(4, "Cold")])


async def test_refund_made_in_mollie_waits_for_one_that_may_fail(
    api, account, paid, send, check, refund, read, clock, run_task
):
    api.refund_status = "pending"
    assert (await refund(8))["status"] == "pending"
    [own] = api.refunds.values()
    paid.pop("amountRefunded")
    api.refund(paid, "10.00", status="refunded")
    await send(account)
    assert (await read())[1] == 0

    own["status"] = "failed"
    clock.advance(hours=1)
    await run_task("payments_reconcile")
    await check()

    assert (await read())[1] == 10
