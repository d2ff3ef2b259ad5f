"""What slips show of an order."""

from comanda.orders import queries
from comanda.stores import find_store
from comanda_printing.services.order_facts import build_receipt, build_ticket


async def test_a_receipt_adds_up(shop, print_order, owner):
    placed = await print_order(note="Birthday")
    order = await queries.get_order(owner.id, shop.id, placed["id"])
    receipt = build_receipt(order, await find_store(owner.id, shop.id))
    amounts = {amount.code: amount.minor for amount in receipt.amounts}

    assert amounts["subtotal"] == amounts["total"] == amounts["due"] == 800
    assert [(line.quantity, line.name, line.total_minor) for line in receipt.lines] == [(1, "Soup", 800)]


async def test_a_receipt_names_the_promotions_of_its_discount(shop, print_order, owner):
    offer = {"name": "Happy hour", "type": "percentage", "value": 25}
    assert (await shop.send("POST", "/promotions", offer)).status == 201
    placed = await print_order()

    order = await queries.get_order(owner.id, shop.id, placed["id"])
    receipt = build_receipt(order, await find_store(owner.id, shop.id))

    found = [(each.code, each.minor, each.label) for each in receipt.amounts[1:3]]
    assert found == [("discount", -200, None), ("promotion", -200, "Happy hour")]


async def test_a_ticket_shows_notes_and_no_amounts(shop, print_order, owner):
    placed = await print_order(note="Birthday")
    order = await queries.get_order(owner.id, shop.id, placed["id"])
    ticket = build_ticket(order, "Europe/Lisbon", order.lines)

    assert (ticket.heading.note, ticket.round, [line.name for line in ticket.added]) == ("Birthday", 1, ["Soup"])
