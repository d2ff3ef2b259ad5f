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


async def test_free_order_is_paid_when_it_is_placed(till_of, store, paid_events):
    water = await store.item("Water", price=0)

    order = await store.order({"item_id": water["id"]})

    till = till_of(order)
    assert (order["is_paid"], order["payment_status"], await till.money()) == (True, "paid", ("paid", 0, 0))
    assert await paid_events() == [
        {
            "order_id": order["id"],
            "restaurant_id": order["restaurant_id"],
            "total": "0.00",
            "paid_total": "0.00",
            "currency": "EUR",
            "payments": [],
        }
    ]
    assert (await till.pay())["reason"] == "already_paid"
    assert len(await paid_events()) == 1
