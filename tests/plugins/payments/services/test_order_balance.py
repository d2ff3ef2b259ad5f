"""An order becomes paid once, when nothing is due."""


async def test_several_tenders_pay_order_once(till, paid_events):
    first = await till.pay("card_external", 12.5, reference="terminal 4", tip=2)
    assert (first["left"], first["payment_status"], first["tip"], first["reference"]) == (
        7.5, "partially_paid", 2, "terminal 4",
    )  # fmt: skip
    assert await till.money() == ("partially_paid", 12.5, 0)
    assert await paid_events() == []

    second = await till.pay("cash", 10)

    assert (second["amount"], second["tendered"], second["change"]) == (7.5, 10, 2.5)
    assert await till.money() == ("paid", 20, 0)
    (event,) = await paid_events()
    assert [(paid["method"], paid["amount"], paid["tip"]) for paid in event["payments"]] == [
        ("card_external", "12.50", "2.00"),
        ("cash", "7.50", "0.00"),
    ]
    assert [payment["id"] for payment in await till.payments()] == [second["id"], first["id"]]


async def test_free_order_is_paid_by_payment_of_zero(till_of, store, paid_events):
    water = await store.item("Water", price=0)
    till = till_of(await store.order({"item_id": water["id"]}))
    assert (await till.order())["is_paid"] is False

    reply = await till.pay()

    assert (reply.status, reply["amount"]) == (201, 0)
    assert ((await till.order())["is_paid"], len(await paid_events())) == (True, 1)
    assert (await till.pay())["reason"] == "already_paid"
