"""What the store and other plugins do to an order of HubRise: they may refuse it, and never price it."""

from datetime import timedelta

from comanda.platform.db import sql
from comanda_hubrise.services import order_links

from tests.plugins.hubrise.fake_hubrise import ordered


async def find_order(store, found):
    assert found["state"] == "placed", found
    return (await store.get(f"/orders/{found['order_id']}")).document


async def test_service_charge_and_promotions_of_the_store_are_left_out(store, soup_order):
    charge = {"service_charge_rate": 10, "service_charge_modes": ["takeaway"]}
    assert (await store.send("PUT", "/settings", charge)).status == 200
    offer = {"name": "Offer", "type": "percentage", "value": 10, "max_uses": 5}
    assert (await store.send("POST", "/promotions", offer)).status == 201

    order = await find_order(store, await store.receive(soup_order))

    assert (order["total"], order["service_charge"], order["discount_total"]) == (5.0, 0, 0)
    assert (await store.place({"item_id": store.soup["id"]}))["total"] == 4.95


async def test_delivery_has_the_fee_of_hubrise(store, soup_order):
    await store.send("PUT", "/delivery-terms", {"fee": 9, "min_order": 50})
    soup_order |= {
        "service_type": "delivery",
        "charges": [{"name": "Courier", "type": "delivery", "price": "2.50 EUR"}],
        "total": "7.50 EUR",
        "customer": {"first_name": "Ana", "address_1": "Rua A 1", "postal_code": "1000-001", "city": "Lisboa",
                     "latitude": "38.7", "longitude": "-9.1", "delivery_notes": "Second floor"},
    }  # fmt: skip

    order = await find_order(store, await store.receive(soup_order))

    assert (order["type"], order["delivery_fee"], order["total"]) == ("delivery", 2.5, 7.5)
    assert (order["address"], order["address_lat"]) == ("Rua A 1, 1000-001 Lisboa", 38.7)
    assert order["address_instructions"] == "Second floor"
    assert (order["is_paid"], order["amount_due"]) == (False, 2.5)


async def test_delivery_statuses_have_names_of_their_own(store, soup_order):
    customer = {"first_name": "Ana", "address_1": "Rua A 1"}
    soup_order |= {"service_type": "delivery", "customer": customer}
    order = await find_order(store, await store.receive(soup_order))
    await store.set_status(order["id"], "ready")
    await order_links.wake_orders([(store.owner.id, order["id"])])
    await store.work(soup_order)
    await sql.execute("UPDATE core_order SET delivery_status = 'out_for_delivery' WHERE id = $1", order["id"])
    await order_links.wake_orders([(store.owner.id, order["id"])])

    await store.work(soup_order)

    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "awaiting_shipment", "in_delivery"]


async def test_delivery_without_address_is_rejected(store, soup_order):
    soup_order |= {"service_type": "delivery", "customer": None}

    found = await store.receive(soup_order)

    assert (found["state"], await store.count_orders()) == ("rejected", 0)
    assert "address" in found["reason"].lower()


async def test_cash_is_still_to_be_paid(store, soup_order):
    soup_order["payments"] = [
        {"name": "Voucher", "ref": "VOUCHER", "amount": "2.00 EUR"},
        {"name": "Cash", "ref": "cash", "amount": "3.00 EUR"},
    ]

    order = await find_order(store, await store.receive(soup_order))

    assert (order["paid_total"], order["amount_due"], order["is_paid"]) == (2.0, 3.0, False)


async def test_dine_in_order_has_its_table(store, soup_order):
    soup_order |= {"service_type": "eat_in", "custom_fields": {"table_number": "12"}}

    order = await find_order(store, await store.receive(soup_order))

    assert (order["type"], order["table_number"]) == ("on-table", "12")


async def test_charges_are_taxed_as_hubrise_says(store, soup_order):
    await store.send("PUT", "/settings", {"tax_rate": 10})
    soup_order |= {
        "charges": [
            {"name": "Bag", "price": "1.00 EUR", "tax_rate": "25.0"},
            {"name": "Tip", "type": "tip", "price": "1.00 EUR"},
            {"name": "Refund", "price": "-0.50 EUR"},
        ],
        "total": "6.50 EUR",
    }

    order = await find_order(store, await store.receive(soup_order))

    charges = [(charge["label"], charge["amount"], charge["tax"]) for charge in order["charges"]]
    assert charges == [("Bag", 1.0, 0.2), ("Tip", 1.0, 0)]
    assert (order["total"], order["discount_total"]) == (6.5, 0.5)


async def test_unknown_service_type_is_rejected(store, soup_order):
    soup_order["service_type"] = "drone"

    found = await store.receive(soup_order)

    assert found["reason"] == "The store takes no orders of the service type drone."


async def test_order_for_later_has_its_time(store, soup_order, clock):
    soup_order["expected_time"] = (clock() + timedelta(hours=5)).isoformat()

    order = await find_order(store, await store.receive(soup_order))

    assert order["scheduled_for"][:16] == soup_order["expected_time"][:16]


async def test_closed_store_rejects(store, soup_order):
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    assert (await store.send("PUT", "/settings", {"hours": {day: [] for day in days}})).status == 200

    found = await store.receive(soup_order)

    assert (found["state"], found["reason"]) == ("rejected", "The store is closed then.")
    assert await store.count_orders() == 0


async def test_paused_store_rejects(store, soup_order):
    assert (await store.send("PUT", "/intake-status", {"status": "paused"})).status == 200

    found = await store.receive(soup_order)

    assert (found["state"], found["reason"]) == ("rejected", "The store takes no orders just now.")


async def test_sold_out_item_is_rejected(store, soup_order):
    await store.send("PUT", f"/menu/items/{store.soup['id']}", {"is_sold_out": True})

    found = await store.receive(soup_order)

    assert (found["state"], found["reason"]) == ("rejected", "Soup is sold out.")


async def test_counted_stock_that_is_too_low_rejects_and_stays(shop):
    lamp = await shop.item("Lamp", 5, stock=1)
    order = shop.add_order(ordered(f"item-{lamp['id']}", quantity="2"), total="10.00 EUR")

    found = await shop.receive(order)

    assert (found["state"], found["reason"]) == ("rejected", "There is not enough of Lamp left.")
    assert (await shop.get(f"/menu/items/{lamp['id']}"))["stock"] == 1


async def test_stock_goes_out_after_orders_took_some(shop):
    lamp = await shop.item("Lamp", 5, stock=1)
    await shop.send("PUT", "/hubrise", {"catalog_id": "cat1", "sends_menu": True, "sends_sold_out": True})
    await shop.check()
    ref = f"item-{lamp['id']}"

    await shop.receive(shop.add_order(ordered(ref)))
    await shop.send_menu()

    assert shop.location.inventories == [[{"sku_ref": ref, "stock": "1"}], [{"sku_ref": ref, "stock": "0"}]]


async def test_suspended_owner_takes_no_orders(store, soup_order, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    try:
        await store.call_back(soup_order)
        await store.work_blindly()
    finally:
        await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", owner.id)

    found = await store.find(soup_order)
    assert (found["state"], found["status"]) == ("rejected", "rejected")


async def test_order_that_somebody_else_has_taken_is_ignored(store, soup_order):
    soup_order["status"] = "accepted"

    found = await store.receive(soup_order)

    assert (found["state"], found["order_id"]) == ("ignored", None)
    assert found["reason"] == "HubRise had it as accepted already."
    assert store.location.patches == []


async def test_order_of_hubrise_is_not_amended(store, soup_order):
    soup_order["payments"] = []
    order = await find_order(store, await store.receive(soup_order))

    reply = await store.send("POST", f"/orders/{order['id']}/lines", {"items": [{"item_id": store.soup["id"]}]})

    assert reply.status == 409
    assert reply["reason"] == "amendment_unsupported"


async def test_nobody_else_can_claim_to_be_hubrise(store):
    claim = {"link_id": 1, "total_minor": 1}

    reply = await store.place({"item_id": store.soup["id"]}, hubrise_claim=claim, source="hubrise")

    assert (reply.status, reply["total"]) == (201, 5.0)
    assert "hubrise" not in reply.document


async def test_payment_method_is_offered_to_nobody(store):
    order = await store.order({"item_id": store.soup["id"]})

    reply = await store.send("POST", f"/orders/{order['id']}/payments", {"method": "hubrise"})

    assert list(reply.errors) == ["method"]
    assert "hubrise" not in reply.errors["method"][0]
