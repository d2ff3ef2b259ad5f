"""Orders to be shipped with and without an address."""

import pytest
from comanda.devkit.testing.stores import line


async def test_an_order_with_an_address_misses_none(shop):
    order = await shop.shipped_order()

    assert (order["type"], order["address_missing"], order["delivery_status"]) == ("ship", False, None)
    assert (await shop.get(f"/orders/{order['id']}"))["address_missing"] is False


@pytest.mark.parametrize("address", [None, "", "  \n "])
async def test_an_order_without_an_address_is_taken_and_marked(shop, address):
    order = await shop.shipped_order(address=address)

    assert (order["address"], order["address_missing"]) == (None, True)
    assert (await shop.get(f"/orders/{order['id']}"))["address_missing"] is True
    assert (await shop.get("/orders"))["data"][0]["address_missing"] is True


async def test_orders_of_other_types_say_nothing_about_an_address(shop):
    order = await shop.order(line(await shop.item()))

    assert "address_missing" not in order
    assert "address_missing" not in (await shop.get(f"/orders/{order['id']}")).document


async def test_what_a_client_says_about_it_itself_is_ignored(shop):
    order = await shop.shipped_order(address_missing=True)

    assert order["address_missing"] is False


async def test_a_repeat_of_an_order_answers_with_the_mark_as_it_is_now(shop):
    lamp = await shop.item("Lamp")
    order = await shop.order(line(lamp), type="ship", key="k")
    await shop.shipment(order, address="Praça 1")

    again = await shop.place(line(lamp), type="ship", key="k")

    assert (again["id"], again["address"], again["address_missing"]) == (order["id"], "Praça 1", False)


async def test_nothing_is_shipped_to_nowhere(shop):
    order = await shop.shipped_order(address=None)

    for address in (None, "", "  "):
        reply = await shop.ship(order, address=address)

        assert reply.errors == {"address": ["This order has no address: tell where to ship it."]}
    assert await shop.shipments() == []
    assert (await shop.get(f"/orders/{order['id']}"))["address_missing"] is True


async def test_the_first_shipment_may_bring_the_address_which_becomes_the_orders(shop):
    order = await shop.shipped_order(address=None)

    first = await shop.shipment(order, {0: 1}, address="Praça 1")
    second = await shop.shipment(order, {0: 1})

    assert (first["address"], second["address"]) == ("Praça 1", "Praça 1")
    now = await shop.get(f"/orders/{order['id']}")
    assert (now["address"], now["address_missing"]) == ("Praça 1", False)


async def test_an_address_for_an_order_that_has_one_is_of_that_shipment_alone(shop):
    order = await shop.shipped_order()

    gift = await shop.shipment(order, {0: 1}, address="At my sister's")
    rest = await shop.shipment(order)

    assert (gift["address"], rest["address"]) == ("At my sister's", "Rua das Flores 7, Porto")
    assert (await shop.get(f"/orders/{order['id']}"))["address"] == "Rua das Flores 7, Porto"


async def test_a_refused_shipment_leaves_no_address_behind(shop):
    order = await shop.shipped_order(address=None)

    reply = await shop.ship(order, {0: 4}, address="Praça 1")

    assert reply.status == 422
    now = await shop.get(f"/orders/{order['id']}")
    assert (now["address"], now["address_missing"]) == (None, True)
