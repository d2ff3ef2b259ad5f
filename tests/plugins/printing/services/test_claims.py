"""A job is with one printer until it answers or its lease ends."""

import asyncio

from comanda_printing.services import claims


async def test_of_two_polls_at_once_one_gets_the_job(printer, print_order):
    await print_order()
    answers = await asyncio.gather(printer.poll(), printer.poll())

    assert sorted(answer["jobReady"] for answer in answers) == [False, True]


async def test_a_lost_confirmation_prints_a_copy(printer, print_order, advance_time):
    await print_order()
    await printer.fetch((await printer.poll())["jobToken"])
    assert (await printer.poll())["jobReady"] is False
    advance_time(seconds=claims.LEASE.total_seconds() + 1)
    [again] = await printer.run()

    assert any("COPY" in row for row in again)


async def test_a_lost_answer_to_a_poll_prints_no_copy(printer, print_order, advance_time):
    await print_order()
    await printer.poll()
    advance_time(seconds=claims.LEASE.total_seconds() + 1)
    [ticket] = await printer.run()

    assert not any("COPY" in row for row in ticket)


async def test_a_printer_that_never_confirms_does_not_print_copies_all_day(shop, printer, print_order, advance_time):
    await print_order()
    for _ in range(claims.MAX_UNANSWERED):
        await printer.fetch((await printer.poll())["jobToken"])
        advance_time(seconds=claims.LEASE.total_seconds() + 1)
    answer = await printer.poll()
    [job] = await shop.list_jobs()

    assert answer == {"jobReady": False}
    assert job["state"] == "failed"
    assert len(printer.papers) == claims.MAX_UNANSWERED
