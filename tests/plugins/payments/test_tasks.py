"""The task recovers lost outcomes, and checks less often as time goes by."""

from comanda.basics import clock as clock_module
from comanda.platform.db import sql
from comanda_payments import tasks


async def test_payment_counts_without_return_of_guest(gateway, page, till, clock):
    await page.press()
    gateway.pay(gateway.session)
    clock.advance(minutes=2)

    await tasks.reconcile()

    assert await till.money() == ("paid", 20, 0)


async def test_lost_webhook_is_recovered(gateway, till, reconcile_later, paid_events):
    await till.pay("stripe")
    gateway.pay(gateway.session)

    await reconcile_later()

    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)


async def test_unreachable_gateway_is_checked_less_often(gateway, till, clock):
    await till.pay("stripe")
    gateway.refuse = 503
    (owner_row,) = await sql.fetch("SELECT id FROM payments_payment WHERE status = 'pending' ORDER BY id DESC LIMIT 1")
    waits = []
    for minutes in (2, 40, 600):
        clock.advance(minutes=minutes)
        await tasks.reconcile()
        check_at = await sql.fetch_value("SELECT check_at FROM payments_payment WHERE id = $1", owner_row["id"])
        waits.append(round((check_at - clock_module.now()).total_seconds() / 60))

    assert waits == [1, 10, 60]
