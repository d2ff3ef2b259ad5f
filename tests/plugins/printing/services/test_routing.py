"""What prints where: stations, order types, rounds, voids, cancellations, receipts."""

from datetime import timedelta

import pytest
from comanda.basics import clock
from comanda.devkit.testing import line
from comanda_printing.services import routing
from paying_first import open_account, pay, place_order, set_payments


def has(rows, text):
    return any(text in row for row in rows)


@pytest.fixture
def amend(shop, dispatch):
    async def send(order, path, **body):
        reply = await shop.send("POST", f"/orders/{order['id']}{path}", body)
        assert reply.status in {200, 201}, reply
        await dispatch()
        return reply.document

    return send


async def test_each_station_prints_its_own_lines(shop, dispatch):
    hot, bar = await shop.add_station("Hot", shop.soup), await shop.add_station("Bar", shop.wine)
    kitchen = await shop.add_cloud_printer(name="Kitchen", station_ids=[hot])
    counter = await shop.add_cloud_printer(name="Bar", station_ids=[bar])
    pass_ = await shop.add_cloud_printer(name="Pass")
    await shop.order(line(shop.soup), line(shop.wine, 2))
    await dispatch()
    [hot_ticket], [bar_ticket], [whole] = await kitchen.run(), await counter.run(), await pass_.run()

    assert has(hot_ticket, "1 x Soup")
    assert not has(hot_ticket, "Wine")
    assert has(bar_ticket, "2 x Wine")
    assert not has(bar_ticket, "Soup")
    assert has(whole, "Soup")
    assert has(whole, "Wine")


async def test_a_printer_of_one_order_type_prints_no_other(shop, print_order):
    printer = await shop.add_cloud_printer(modes=["on-table"])
    await print_order()

    assert await printer.run() == []


async def test_a_round_prints_what_was_added_alone(shop, printer, print_order, amend):
    order = await print_order()
    await printer.run()
    await amend(order, "/lines", items=[line(shop.wine)])
    [ticket] = await printer.run()

    assert has(ticket, "1 x Wine")
    assert not has(ticket, "Soup")
    assert has(ticket, "Round 2")


async def test_a_void_prints_where_its_line_was_printed(shop, printer, print_order, amend):
    await shop.add_station("Hot", shop.soup)
    other = await shop.add_cloud_printer(name="Bar", station_ids=[await shop.add_station("Bar", shop.wine)])
    order = await print_order(items=[line(shop.soup, 3)])
    await printer.run()
    await amend(order, f"/lines/{order['items'][0]['id']}/void", quantity=2, reason="Mistake")
    [ticket] = await printer.run()

    assert has(ticket, "VOID")
    assert has(ticket, "-2 x Soup")
    assert await other.run() == []


async def test_a_void_prints_where_a_copy_was_printed(shop, printer, print_order, amend, advance_time):
    order = await print_order(items=[line(shop.soup, 3)])
    await printer.fetch((await printer.poll())["jobToken"])
    advance_time(seconds=61)
    await printer.run()
    await amend(order, f"/lines/{order['items'][0]['id']}/void", quantity=2, reason="Mistake")
    [ticket] = await printer.run()

    assert has(ticket, "-2 x Soup")


async def test_events_that_are_handled_late_print_nothing_twice(shop, printer, dispatch):
    order = await shop.order(line(shop.soup, 3))
    await shop.send("POST", f"/orders/{order['id']}/lines", {"items": [line(shop.wine)]})
    voided = f"/orders/{order['id']}/lines/{order['items'][0]['id']}/void"
    await shop.send("POST", voided, {"quantity": 1, "reason": "Mistake"})
    await dispatch()
    first, second = await printer.run()

    assert has(first, "2 x Soup")
    assert not has(first, "Wine")
    assert has(second, "1 x Wine")
    assert not has(second, "VOID")


async def test_a_repeated_event_prints_once(shop, printer, print_order, monkeypatch):
    seen = []
    queue = routing._queue_event

    async def queue_twice(*arguments):
        seen.append(arguments)
        await queue(*arguments)
        await queue(*arguments)

    monkeypatch.setattr(routing, "_queue_event", queue_twice)
    await print_order()

    assert seen
    assert len(await shop.list_jobs()) == 1


async def test_a_cancelled_order_says_so_where_it_was_printed(shop, printer, print_order, dispatch):
    unsent = await shop.add_cloud_printer(name="Slow")
    order = await print_order()
    await printer.run()
    await shop.set_status(order["id"], "cancelled")
    await dispatch()
    [ticket] = await printer.run()

    assert has(ticket, "ORDER CANCELLED")
    assert await unsent.run() == []


async def test_a_paid_order_prints_a_receipt_with_its_taxes(shop, print_order, dispatch):
    printer = await shop.add_cloud_printer(prints=["receipt"], opens_drawer=True)
    order = await print_order()
    paid = await shop.send("POST", f"/orders/{order['id']}/payments", {"method": "cash", "amount": 8})
    await dispatch()
    [receipt] = await printer.run()

    assert paid.status == 201
    assert has(receipt, "1 x Soup")
    assert has(receipt, "Total")
    assert has(receipt, "8.00")
    assert not has(receipt, "Still to pay")
    assert b"\x1b\x07" in printer.papers[0]


async def test_an_order_for_later_prints_before_its_time(shop, printer, print_order, advance_time):
    await print_order(scheduled_for=(clock.now() + timedelta(hours=3)).isoformat())
    before = await printer.run()
    advance_time(hours=2, minutes=31)
    [ticket] = await printer.run()

    assert before == []
    assert has(ticket, "For ")


async def test_orders_that_move_print_nothing(shop, printer, print_order, amend):
    first, second = await print_order(), await print_order()
    await printer.run()
    await amend(first, "/merge", order_id=second["id"])
    await amend(first, "/split", lines=[{"line_id": first["items"][0]["id"]}])
    printed = await printer.run()

    assert not any(has(ticket, "x Soup") for ticket in printed)


async def test_a_store_without_printers_costs_one_query(shop, print_order):
    await print_order()

    assert await shop.list_jobs() == []


@pytest.mark.parametrize("begin", ["pay", "preparing"])
async def test_order_that_is_paid_first_prints_once_it_is_begun(shop, printer, dispatch, begin):
    await open_account(shop)
    await set_payments(shop, online_pickup="required")
    order = await place_order(shop, line(shop.soup))
    await dispatch()
    assert await printer.run() == []

    if begin == "pay":
        await pay(shop, order)
    else:
        await shop.set_status(order["id"], begin)
    await dispatch()
    [ticket] = await printer.run()
    assert has(ticket, "1 x Soup")
    if begin == "pay":
        await shop.set_status(order["id"], "preparing")
    else:
        await pay(shop, order)
    await dispatch()

    assert await printer.run() == []
