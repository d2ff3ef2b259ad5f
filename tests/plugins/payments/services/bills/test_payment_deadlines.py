"""Orders that have to be paid first are cancelled unless they are paid or begun in time."""

import asyncio

from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_payments import tasks
from paying_first import end_time_to_pay, place_order, read_status, send_order


async def test_paid_order_is_not_cancelled(store, soup, paying_first, provider_fake, page_of, clock):
    await paying_first()
    order = await place_order(store, line(soup))
    page = page_of(order)
    await provider_fake.pay(await page.press())
    await page.come_back()

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "new"
    assert await sql.fetch_value("SELECT count(*) FROM payments_deadline WHERE order_id = $1", order["id"]) == 0


async def test_unpaid_order_is_cancelled_in_time_and_its_page_closed(
    store, soup, paying_first, page_of, till_of, clock, published
):
    await paying_first(pay_minutes=10)
    order = await place_order(store, line(soup))
    await page_of(order).press()

    await end_time_to_pay(clock, minutes=9)
    assert await read_status(store, order) == "new"
    await end_time_to_pay(clock, minutes=2)

    assert await read_status(store, order) == "cancelled"
    assert [each["status"] for each in await till_of(order).payments()] == ["cancelled"]
    assert "This order was cancelled." in await page_of(order).read()
    changes = [data for name, data in await published() if name == "order.status_changed"]
    assert [(each["to"], each["actor"]) for each in changes] == [("cancelled", "payments")]
    await end_time_to_pay(clock)
    assert await read_status(store, order) == "cancelled"


async def test_two_workers_cancel_an_order_once(store, soup, paying_first, clock, published):
    await paying_first()
    await place_order(store, line(soup))
    clock.advance(minutes=21)

    await asyncio.gather(*(tasks.reconcile() for _ in range(4)))

    assert len([name for name, _ in await published() if name == "order.status_changed"]) == 1


async def test_payment_that_was_made_at_the_last_moment_counts(
    store, soup, paying_first, provider_fake, page_of, clock
):
    await paying_first()
    order = await place_order(store, line(soup))
    # The guest has paid and not come back.
    await provider_fake.pay(await page_of(order).press())

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "new"
    assert (await store.get(f"/orders/{order['id']}"))["is_paid"]


async def test_order_that_staff_begin_is_not_cancelled(store, soup, paying_first, clock, track):
    await paying_first()
    order = await place_order(store, line(soup))
    await store.set_status(order["id"], "preparing")

    assert "pay_by" not in await track(order)
    await end_time_to_pay(clock)

    assert await read_status(store, order) == "preparing"


async def test_what_was_paid_by_gift_card_goes_back(store, soup, paying_first, card, till_of, clock):
    await paying_first()
    order = await place_order(store, line(soup, 2))
    await till_of(order).pay("gift_card", 15, code=card["code"])

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "cancelled"
    assert (await till_of(order).money())[2] == 15


async def test_order_with_cash_on_it_is_left_to_staff(store, soup, paying_first, till_of, clock):
    await paying_first()
    order = await place_order(store, line(soup, 2))
    await till_of(order).pay("cash", 5)

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "new"
    assert await till_of(order).money() == ("partially_paid", 5, 0)


async def test_free_order_has_nothing_to_wait_for(store, paying_first, clock):
    water = await store.item("Water", price=0)
    await paying_first()

    placed = await send_order(store, line(water))

    assert "/t/" in placed["continue_url"]
    await end_time_to_pay(clock)
    assert await read_status(store, placed) == "new"


async def test_till_and_owner_place_orders_as_before(store, soup, paying_first, clock):
    await paying_first()

    order = await store.order(line(soup))

    assert "pay_by" not in order
    await end_time_to_pay(clock)
    assert await read_status(store, order) == "new"
