from tests.plugins.deliverect.fake_deliverect import ordered


async def test_order_arrives_with_prices_and_payment_of_the_channel(store):
    order = store.add_order(
        ordered(store.soup_ref, 720, 2, remark="No salt"),
        serviceCharge=30,
        discountTotal=-100,
        payment={"amount": 1370, "type": 0, "due": 0},
        note="Ring twice",
    )

    found = await store.receive(order)

    placed = await store.find_order(found)
    assert (placed["total"], placed["subtotal"], placed["discount_total"]) == (13.7, 14.4, 1.0)
    assert (placed["source"], placed["customer_name"], placed["type"]) == ("deliverect", "Ana Silva", "takeaway")
    assert (placed["is_paid"], placed["note"]) == (True, "Deliverect 4F2A\nRing twice")
    assert placed["items"][0]["note"] == "No salt"
    assert placed["deliverect"] == {"id": order["_id"], "channel_order_id": order["channelOrderId"], "ref": "4F2A"}
    payments = (await store.get(f"/orders/{placed['id']}/payments"))["data"]
    assert [(each["method"], each["amount"], each["reference"]) for each in payments] == [
        ("deliverect", 13.7, order["_id"])
    ]


async def test_unpaid_order_is_still_to_be_paid(store, soup_order):
    soup_order["orderIsAlreadyPaid"] = False

    placed = await store.find_order(await store.receive(soup_order))

    assert (placed["is_paid"], placed["amount_due"]) == (False, 5.0)


async def test_order_that_does_not_add_up_fails(store):
    found = await store.receive(store.add_order(ordered(store.soup_ref), payment={"amount": 400}))

    assert found["reason"] == "The order costs 4.00 EUR at Deliverect and 5.00 EUR here."
    assert (found["state"], await store.count_orders()) == ("rejected", 0)


async def test_order_of_deliverect_is_not_amended(store, soup_order):
    soup_order["orderIsAlreadyPaid"] = False
    order_id = (await store.receive(soup_order))["order_id"]

    reply = await store.send("POST", f"/orders/{order_id}/lines", {"items": [{"item_id": store.soup["id"]}]})

    assert (reply.status, reply["reason"]) == (409, "amendment_unsupported")


async def test_nobody_else_can_claim_to_be_deliverect(store):
    reply = await store.place({"item_id": store.soup["id"]}, channel_claim={"channel": "deliverect"})

    assert (reply.status, reply["total"]) == (201, 5.0)
    assert "deliverect" not in reply.document
