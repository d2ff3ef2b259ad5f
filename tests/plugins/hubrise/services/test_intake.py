from tests.plugins.hubrise.fake_hubrise import ordered


async def test_order_arrives_with_prices_and_payment_of_hubrise(store, soup_order):
    soup_order |= {
        "items": [ordered(store.soup_ref, "7.20 EUR", "2", customer_notes="No salt")],
        "charges": [{"name": "Bag", "price": "0.30 EUR", "tax_rate": None}],
        "discounts": [{"name": "Welcome", "price_off": "1.00 EUR"}],
        "payments": [{"ref": "CARD", "amount": "13.70 EUR"}],
        "total": "13.70 EUR",
        "customer_notes": "Ring twice",
    }

    found = await store.receive(soup_order)

    assert (found["state"], found["status"], found["reason"]) == ("placed", "accepted", None)
    order = (await store.get(f"/orders/{found['order_id']}")).document
    assert (order["total"], order["subtotal"], order["discount_total"]) == (13.7, 14.4, 1.0)
    assert [(charge["label"], charge["amount"]) for charge in order["charges"]] == [("Bag", 0.3)]
    assert (order["source"], order["customer_name"], order["type"]) == ("hubrise", "Ana Silva", "takeaway")
    assert (order["is_paid"], order["paid_total"], order["note"]) == (True, 13.7, "Uber Eats 4F2A\nRing twice")
    assert order["items"][0]["note"] == "No salt"
    assert order["hubrise"]["id"] == soup_order["id"]
    payments = (await store.get(f"/orders/{order['id']}/payments"))["data"]
    assert [(each["method"], each["amount"], each["reference"]) for each in payments] == [
        ("hubrise", 13.7, soup_order["id"])
    ]
    assert store.location.list_statuses(soup_order["id"]) == ["accepted"]


async def test_same_callback_twice_places_one_order(store, soup_order):
    await store.call_back(soup_order)
    first = await store.receive(soup_order)
    second = await store.receive(soup_order)

    assert first == second
    assert await store.count_orders() == 1


async def test_unknown_item_is_rejected_with_reason(store):
    order = store.add_order(ordered("PIZZA", product_name="Pizza"))

    found = await store.receive(order)

    assert (found["state"], found["order_id"], found["status"]) == ("rejected", None, "rejected")
    assert found["reason"] == "The menu has no item Pizza with the reference PIZZA."
    assert await store.count_orders() == 0
    assert store.location.patches == [(order["id"], {"status": "rejected", "seller_notes": found["reason"]})]
