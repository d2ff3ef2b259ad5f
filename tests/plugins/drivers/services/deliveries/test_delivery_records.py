"""Records of deliveries for drivers."""


async def test_record_has_what_the_driver_needs(kitchen, driver, published):
    await kitchen.send("PUT", "/settings", {"address": "Rua Augusta 1", "phone": "+351210000000"})
    order = await kitchen.place_delivery(2, tip_amount=1, note="Ring twice", address_instructions="Third floor")

    reply = await driver.claim(order["id"])

    assert reply.status == 200
    document = reply.document
    assert document["id"] == document["order_id"] == order["id"]
    assert document["delivery_status"] == "assigned"
    assert document["pickup"] == {
        "name": document["pickup"]["name"], "address": "Rua Augusta 1", "phone": "+351210000000", "lat": None,
        "lng": None,
    }  # fmt: skip
    assert document["dropoff"] == {
        "address": "Rua da Prata 8", "lat": None, "lng": None, "instructions": "Third floor",
    }  # fmt: skip
    assert document["customer"] == {"name": "Ada", "phone": "+351912345678"}
    assert document["items"] == [{"name": "Pizza", "quantity": 2, "variation": None, "extras": [], "note": None}]
    assert (document["total"], document["tip_amount"], document["amount_to_collect"]) == (21, 1, 21)
    assert (document["note"], document["is_paid"]) == ("Ring twice", False)
    assert set(document["timeline"]) == {"created_at", "assigned_at"}
    assert (await published())[-1] == (
        "order.driver_assigned",
        {
            "order_id": order["id"],
            "restaurant_id": kitchen.id,
            "driver": {"id": driver.id, "name": "Rui Costa", "phone": "+351961234567"},
            "delivery_status": "assigned",
        },
    )


async def test_amount_to_collect_is_what_is_due(kitchen, driver):
    order = await kitchen.place_assigned(driver)
    paid = {"method": "cash", "amount": 4}
    assert (await kitchen.send("POST", f"/orders/{order['id']}/payments", paid)).status == 201

    assert (await driver.get("/deliveries"))["data"][0]["amount_to_collect"] == 6
    paid = {"method": "cash", "amount": 6}
    assert (await kitchen.send("POST", f"/orders/{order['id']}/payments", paid)).status == 201
    [shown] = (await driver.get("/deliveries"))["data"]
    assert (shown["amount_to_collect"], shown["is_paid"]) == (0, True)
