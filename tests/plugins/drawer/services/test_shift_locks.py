"""Concurrent bookings and counts of a drawer."""

import asyncio
from collections import Counter
from contextvars import copy_context

from comanda.basics import clock
from comanda.platform.db import sql
from comanda_drawer import payment_books


async def test_one_of_twenty_concurrent_openings_wins(drawers, shift_events):
    body = {"drawer": "Bar", "opening_float": 10}

    replies = await asyncio.gather(*(drawers.send("POST", "/shifts", body) for _ in range(20)))

    assert Counter(reply.status for reply in replies) == {201: 1, 409: 19}
    assert len(await drawers.list_rows()) == 2
    assert len(await shift_events()) == 1


async def test_concurrent_repeats_change_once(drawers, shift_events):
    keyed = {"Idempotency_Key": "a"}
    opened = await asyncio.gather(*(drawers.open_shift("Bar", 10, **keyed) for _ in range(20)))
    assert len({shift["id"] for shift in opened}) == 1
    shift = opened[0]

    moved = await asyncio.gather(*(drawers.create_movement(shift, "paid_in", 5, **keyed) for _ in range(20)))
    assert len({move["id"] for move in moved}) == 1

    closed = await asyncio.gather(*(drawers.close_shift(shift, 15, **keyed) for _ in range(20)))
    assert {(reply.status, reply["difference"]) for reply in closed} == {(200, 0.0)}
    assert [name for name, _ in await shift_events()] == ["shift.opened", "shift.closed"]


async def test_one_of_ten_concurrent_counts_wins(drawers, shift_events):
    shift = await drawers.open_shift("Bar", 10)

    replies = await asyncio.gather(*(drawers.close_shift(shift, counted) for counted in range(10)))

    assert Counter(reply.status for reply in replies) == {200: 1, 409: 9}
    winner = next(reply for reply in replies if reply.status == 200)
    assert (await drawers.get_shift(shift))["counted"] == winner["counted"]
    assert len(await shift_events()) == 2


async def test_concurrent_bookings_of_a_payment_record_once(drawers, book):
    shift = await drawers.open_shift("Bar", 0)
    payment = await drawers.create_payment(700)

    await asyncio.gather(*(book(payment) for _ in range(20)))

    assert (await drawers.get_shift(shift))["expected"] == 7.0


async def test_cash_during_a_count_is_recorded_exactly_once(drawers, book):
    for _ in range(4):
        shift = await drawers.open_shift("Bar", 10)
        payments = [await drawers.create_payment(100) for _ in range(12)]
        steps = [book(payment) for payment in payments]
        steps[4:4] = [
            drawers.create_movement(shift, "paid_in", 1),
            drawers.close_shift(shift, 0),
            drawers.create_movement(shift, "paid_out", 1),
        ]

        await asyncio.gather(*steps)

        closed = await drawers.get_shift(shift)
        noted = {move["payment_id"] for move in closed["movements"] if move["kind"] == "payment"}
        assert closed["expected"] == sum(total["amount"] for total in closed["summary"].values())
        lost = {cash["payment_id"] for cash in (await drawers.get("/shifts/unassigned?per_page=100"))["data"]}
        mine = {payment.payment_id for payment in payments}
        assert noted | (lost & mine) == mine
        assert not noted & lost


async def test_count_waits_for_and_includes_open_bookings(drawers):
    shift = await drawers.open_shift("Bar", 10)
    payment = await drawers.create_payment(100)
    is_booked, may_end = asyncio.Event(), asyncio.Event()

    async def take():
        async with sql.transaction():
            await payment_books.record_payment(payment)
            is_booked.set()
            await may_end.wait()

    taking = asyncio.create_task(take())
    await is_booked.wait()
    closing = asyncio.create_task(drawers.close_shift(shift, 11))
    await asyncio.sleep(0.2)
    assert not closing.done()
    may_end.set()
    await taking

    assert (await closing)["expected"] == 11.0


async def test_cash_waiting_for_a_count_goes_to_next_shift(drawers, book):
    shift = await drawers.open_shift("Bar", 10)
    payment = await drawers.create_payment(100, drawer="Bar")
    # A task inherits the open transaction, unless it runs in the context from before.
    outside = copy_context()
    async with sql.transaction():
        await sql.execute("SELECT FROM drawer_shift WHERE id = $1 FOR UPDATE", shift["id"])
        taking = asyncio.create_task(book(payment), context=outside)
        await asyncio.sleep(0.2)
        await sql.execute(
            """UPDATE drawer_shift SET status = 'closed', closed_by = 'x', closed_at = $2, expected_minor = 1000,
                   counted_minor = 1000, difference_minor = 0 WHERE id = $1""",
            shift["id"], clock.now(),
        )  # fmt: skip
        await sql.execute(
            """INSERT INTO drawer_shift (owner_id, store_id, drawer, currency, status, opened_by, opened_at,
                   opening_float_minor) VALUES ($1, $2, 'Bar', 'EUR', 'open', 'x', $3, 0)""",
            drawers.owner.id, drawers.id, clock.now(),
        )  # fmt: skip
    await taking

    shifts = (await drawers.get("/shifts"))["data"]
    assert [(found["status"], found["expected"]) for found in shifts] == [("open", 1.0), ("closed", 10.0)]
