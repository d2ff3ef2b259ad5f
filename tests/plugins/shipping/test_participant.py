"""Missing addresses of orders, and the shipments of cancelled orders."""

import asyncio

import pytest
from comanda.devkit.testing import line


async def test_order_with_address_misses_none(shop):
    order = await shop.create_order()

    assert (order["type"], order["address_missing"], order["delivery_status"]) == ("ship", False, None)
    assert (await shop.get(f"/orders/{order['id']}"))["address_missing"] is False


@pytest.mark.parametrize("address", [None, "", "  \n "])
async def test_order_without_address_is_accepted_and_marked(shop, address):
    order = await shop.create_order(address=address)

    assert (order["address"], order["address_missing"]) == (None, True)
    assert (await shop.get(f"/orders/{order['id']}"))["address_missing"] is True
    assert (await shop.get("/orders"))["data"][0]["address_missing"] is True


async def test_other_order_types_have_no_mark(shop):
    order = await shop.order(line(await shop.item()))

    assert "address_missing" not in order
    assert "address_missing" not in (await shop.get(f"/orders/{order['id']}")).document


async def test_mark_sent_by_client_is_ignored(shop):
    order = await shop.create_order(address_missing=True)

    assert order["address_missing"] is False


async def test_repeated_order_returns_current_mark(shop):
    lamp = await shop.item("Lamp")
    order = await shop.order(line(lamp), type="ship", key="k")
    await shop.create_shipment(order, address="Praça 1")

    again = await shop.place(line(lamp), type="ship", key="k")

    assert (again["id"], again["address"], again["address_missing"]) == (order["id"], "Praça 1", False)


async def test_cancelling_order_fails_prepared_shipments(shop):
    order = await shop.create_order()
    made = [
        await shop.create_shipment(order, {0: 1}, status=each) for each in ("pending", "label_created", "in_transit")
    ]

    assert (await shop.set_status(order["id"], "cancelled")).status == 200

    now = {each["id"]: each for each in await shop.list_shipments()}
    assert [now[each["id"]]["status"] for each in made] == ["failed", "failed", "in_transit"]
    assert now[made[2]["id"]] == made[2]
    assert (await shop.update_shipment(made[2], status="returned")).status == 200


async def test_cancelled_order_ships_only_after_reopening(shop):
    order = await shop.create_order()
    await shop.set_status(order["id"], "cancelled")

    refused = await shop.request_shipment(order)

    assert (refused.status, refused["reason"]) == (409, "cancelled")
    assert await shop.list_shipments() == []
    await shop.set_status(order["id"], "preparing")
    assert (await shop.request_shipment(order)).status == 201


async def test_concurrent_cancel_and_shipment_leave_none_prepared(shop):
    for _ in range(5):
        order = await shop.create_order()

        await asyncio.gather(
            shop.set_status(order["id"], "cancelled"), *(shop.request_shipment(order, {0: 1}) for _ in range(3))
        )

        query = f"?order_id={order['id']}"
        assert {each["status"] for each in await shop.list_shipments(query)} <= {"failed"}
