"""Events of orders of several customers and stores in one batch."""

from comanda.devkit.testing import line


async def test_batch_of_events_books_each_order(
    store, soup, programme, new_customer, pay, handle, gather, check_ledger
):
    customers = [await new_customer(name) for name in ("Ada", "Bea")]
    orders = [await customer.order(line(soup, count)) for customer in customers for count in (1, 2)]
    orders.append(await store.order(line(soup)))
    for order in orders:
        await pay(order)

    await gather(handle(*orders), handle(*reversed(orders)))

    assert [await customer.points() for customer in customers] == [30, 30]
    await check_ledger()


async def test_unknown_order_is_passed_over(handle, programme):
    await handle({"id": 2**40})
