"""Moves of an open check to another table or type."""

import pytest
from comanda.devkit.testing.stores import line


@pytest.fixture
async def order(store):
    """An order of 5.00 at a table."""
    return await store.order(line(await store.item("Soup", 5)), type="on-table", table_number="4")


async def test_order_moves_to_another_table(store, order, published):
    moved = (await store.send("POST", f"/orders/{order['id']}/move", {"table_number": "12"})).document

    assert (moved["table_number"], moved["total"], moved["items"]) == ("12", 5, order["items"])
    name, event = (await published())[-1]
    assert (name, event["kind"], event["added"], event["voided"]) == ("order.amended", "move", [], [])


async def test_order_becomes_takeaway_with_its_tax(store):
    await store.send("PUT", "/settings", {"tax_rate": 19, "is_tax_included": True, "mode_tax_rates": {"takeaway": 7}})
    order = await store.order(line(await store.item("Soup", 10.7)), type="on-table", table_number="4")

    moved = (await store.send("POST", f"/orders/{order['id']}/move", {"type": "takeaway"})).document

    assert (order["tax_total"], moved["type"], moved["tax_total"], moved["total"]) == (1.71, "takeaway", 0.7, 10.7)


async def test_order_does_not_become_a_delivery(store, order):
    answer = await store.send("POST", f"/orders/{order['id']}/move", {"type": "delivery"})

    assert (answer.status, list(answer.document["errors"])) == (422, ["type"])
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_takeaway_needs_a_table_to_become_on_table(store, order):
    order = await store.order(line(await store.item("Tea", 3)))

    missing = await store.send("POST", f"/orders/{order['id']}/move", {"type": "on-table"})
    moved = await store.send("POST", f"/orders/{order['id']}/move", {"type": "on-table", "table_number": "3"})

    assert (missing.status, list(missing.document["errors"])) == (422, ["table_number"])
    assert (moved.document["type"], moved.document["table_number"]) == ("on-table", "3")
