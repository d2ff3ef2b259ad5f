"""Events of several orders in one batch."""


async def test_batch_credits_each_order_that_has_an_invoice(
    seller, new_order, pay, issue, refund, handle, gather, documents
):
    orders = [await new_order() for _ in range(4)]
    for order in orders:
        await pay(order)
    for order in orders[:3]:
        await issue(order)
    for order in orders[1:]:
        await refund(order, amount=4)

    await gather(handle(*orders), handle(*reversed(orders)))

    found = await documents()
    assert [total for _, _, total in found] == [25, 25, 25, -4, -4]
    assert [number for _, number, _ in found] == [f"INV-{number:06}" for number in range(1, 6)]


async def test_order_that_is_unknown_is_passed_over(seller, handle, documents):
    await handle({"id": 2**40})

    assert await documents() == []
