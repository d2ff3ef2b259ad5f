"""Money that is paid in advance: owed on the day on which it comes, and of an order or a visit later."""

from datetime import timedelta

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import line
from comanda.devkit.testing.payment_providers import reconcile
from comanda.platform.db import sql
from comanda_payments import api as payments

from tests.support.demo_bank import DemoBankFake

PREPAID = ("prepayments", "prepaid_stays", "kept_deposits", "payments", "collected", "refunds", "net_sales")


@pytest.fixture
async def bank(shop, client, owner):
    assert (await shop.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})).status == 201
    return DemoBankFake(client, owner)


@pytest.fixture
def pay_deposit(shop, bank, clock, dispatch):
    """Pay a deposit and return its id."""

    async def create(amount_minor):
        async with sql.transaction():
            id = await payments.create_deposit(
                owner_id=shop.owner.id, store_id=shop.id, amount_minor=amount_minor, currency="EUR", description="x",
                guest_name="Ana", email=None, language=None, page_path="/", dashboard_path="/",
                due_at=clock_module.now() + timedelta(hours=1),
            )  # fmt: skip
        await bank.pay(await payments.start_deposit(shop.owner.id, id))
        await reconcile(clock)
        await dispatch()
        return id

    return create


async def read(shop, day="2030-05-15"):
    figures = await shop.figures(f"from={day}&to={day}")
    return {name: figures[name] for name in PREPAID if name in figures}


async def list_prepaid(shop):
    rows = await sql.fetch(
        "SELECT code, sum(amount_minor)::bigint AS amount FROM closings_day_total"
        " WHERE owner_id = $1 AND section = 'prepaid' GROUP BY code",
        shop.owner.id,
    )
    return {row["code"]: row["amount"] for row in rows}


async def test_deposit_is_owed_until_it_pays_an_order(shop, pay_deposit, clock, dispatch):
    deposit_id = await pay_deposit(5000)
    assert await read(shop) == {"prepayments": 50}

    clock.advance(days=1)
    order = await shop.order(line(shop.soup, quantity=3))
    await shop.send("POST", f"/prepayments/{deposit_id}/apply", {"order_id": order["id"]})
    await reconcile(clock)
    await dispatch()

    # What was above the bill went back.
    assert await read(shop) == {"prepayments": 50}
    after = await read(shop, "2030-05-16")
    assert after == {"prepayments": -50, "payments": 50, "collected": 50, "refunds": 20, "net_sales": 30}
    assert await list_prepaid(shop) == {"deposit:demo": 0}


async def test_part_of_a_deposit_goes_back_on_its_day_and_the_rest_is_kept(shop, pay_deposit, clock, dispatch):
    deposit_id = await pay_deposit(5000)
    clock.advance(days=1)
    await shop.send("POST", f"/prepayments/{deposit_id}/refund", {"amount": 20, "reason": "Fewer guests"})
    await reconcile(clock)
    await dispatch()
    clock.advance(days=1)
    await shop.send("POST", f"/prepayments/{deposit_id}/keep")
    await dispatch()

    days = [await read(shop, f"2030-05-{day}") for day in (15, 16, 17)]

    assert days == [{"prepayments": 50}, {"prepayments": -20}, {"kept_deposits": 30}]


async def test_used_deposit_counts_without_what_goes_back(shop, pay_deposit, clock, dispatch):
    deposit_id = await pay_deposit(5000)
    assert (await shop.close()).status == 201
    clock.advance(days=1)
    async with sql.transaction():
        await payments.use_deposit(shop.owner.id, deposit_id, 3000, "system")

    # Its event is pending, and counts in the closing all the same.
    closing = (await shop.close()).document["figures"]
    await reconcile(clock)
    await dispatch()

    assert (closing["prepayments"], closing["prepaid_stays"], closing["sales_total"]) == (0, 30, 0)
    # What was above the price went back when that day was closed.
    assert await list_prepaid(shop) == {"deposit:demo": 3000}
    later = (await shop.get("/closings/open"))["figures"]
    assert (later["prepayments"], later["prepaid_stays"]) == (-20, 0)
