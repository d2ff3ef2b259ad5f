"""The handler of the events of orders, deposits and drawers."""

import asyncio
from datetime import timedelta

from comanda.basics import clock as clock_module
from comanda.contracts import StoredEvent
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_closings.event_handlers import count_events
from comanda_closings.services import prepayments
from comanda_payments import api as payments

CHARGE = """
    WITH paid AS (
        UPDATE payments_prepayment SET status = 'paid', check_at = NULL, paid_minor = amount_minor
        WHERE id = $1 AND owner_id = $2 RETURNING id, owner_id, store_id, amount_minor)
    INSERT INTO payments_payment (owner_id, store_id, prepayment_id, method, status, amount_minor, actor, created_at,
        finished_at)
    SELECT owner_id, store_id, id, 'demo', 'succeeded', amount_minor, 'gateway', $3, $3 FROM paid
"""
LOSE = "UPDATE payments_prepayment SET status = 'refunded', refunded_minor = paid_minor WHERE id = $1 AND owner_id = $2"


async def keep_deposit(shop, amount_minor):
    """Create a deposit that is paid, keep it, and return its key."""
    async with sql.transaction():
        id = await payments.create_deposit(
            owner_id=shop.owner.id, store_id=shop.id, amount_minor=amount_minor, currency="EUR", description="x",
            guest_name="Ana", email=None, language=None, page_path="/", dashboard_path="/",
            due_at=clock_module.now() + timedelta(hours=1),
        )  # fmt: skip
        await sql.execute(CHARGE, id, shop.owner.id, clock_module.now())
        await payments.keep_deposit(shop.owner.id, id)
    return id, shop.owner.id


async def test_handler_counts_orders_once(shop):
    await shop.order(line(shop.soup))

    await shop.count_orders()
    await shop.count_orders()

    counted = await sql.fetch_value("SELECT count(*) FROM closings_order WHERE store_id = $1", shop.id)
    assert counted == 1
    assert (await shop.figures())["orders"] == 1


async def test_kept_deposit_counts_once_on_its_day_or_the_first_open_one(shop, clock):
    first = await keep_deposit(shop, 4000)
    await asyncio.gather(*(prepayments.count_prepayments([first]) for _ in range(4)))
    late = await keep_deposit(shop, 1000)

    # Its event is pending, and counts all the same.
    closing = (await shop.close()).document
    await prepayments.count_prepayments([late])
    after = await keep_deposit(shop, 500)
    await prepayments.count_prepayments([after])

    assert (closing["figures"]["kept_deposits"], closing["figures"]["sales_total"]) == (50, 0)
    assert (await shop.get("/closings/open"))["figures"]["kept_deposits"] == 5
    clock.advance(days=1)
    await sql.execute(LOSE, *first)
    await prepayments.count_prepayments([first])
    assert (await shop.get("/closings/open"))["figures"]["kept_deposits"] == -35


async def test_deposit_that_is_lost_later_leaves_the_day_on_which_it_was_kept(noon, shop, clock):
    kept = await keep_deposit(shop, 4000)
    await prepayments.count_prepayments([kept])
    day = noon.date().isoformat()
    clock.advance(days=1)
    await sql.execute(LOSE, *kept)
    await prepayments.count_prepayments([kept])

    closing = (await shop.close(day)).document

    assert closing["figures"]["kept_deposits"] == 40
    assert (await shop.get("/closings/open"))["figures"]["kept_deposits"] == -40


async def test_handler_counts_drawers_once(shop):
    shift = (await shop.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})).document
    await shop.send("POST", f"/shifts/{shift['id']}/close", {"counted": 99})
    closed = StoredEvent(1, shop.owner.id, shop.id, "shift.closed", {"shift_id": shift["id"]}, clock_module.now())

    await count_events([closed])
    await count_events([closed])

    assert (await shop.figures())["drawer_differences"] == -1
