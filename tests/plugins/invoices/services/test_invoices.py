"""Invoices of paid orders: what stands in them, their numbers, and when there are none."""

import asyncpg
import pytest
from comanda.accounts.owners.owner_erasure import erase_owner
from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_invoice_says_what_was_bought_and_how_it_was_paid(store, seller, new_order, pay, issue):
    order = await new_order()
    await pay(order, amount=10)
    await pay(order, tip=1)

    invoice = (await issue(order)).document

    assert (invoice["kind"], invoice["number"], invoice["order_number"]) == ("invoice", "INV-000001", order["number"])
    assert invoice["seller"] == {
        "name": "Tasca do Mar Lda", "address": "Rua da Praia 7\n8600 Lagos", "tax_number": "PT501964843",
        "note": "CRC Lagos 1234",
    }  # fmt: skip
    assert invoice["buyer"]["tax_number"] == "DE812345678"
    lines = [(each["name"], each["quantity"], each["unit_price"], each["tax_rate"]) for each in invoice["lines"]]
    assert lines == [("Soup", 2, 10, 23), ("Tea", 1, 3, 6)]
    taxes = [(row["rate"], row["net"], row["tax"], row["gross"]) for row in invoice["taxes"]]
    assert taxes == [(6, 2.83, 0.17, 3), (23, 16.26, 3.74, 20)]
    assert (invoice["tip"], invoice["total"], order["total"]) == (2, 25, 25)
    assert [(each["method"], each["amount"], each["tip"]) for each in invoice["payments"]] == [
        ("cash", 10, 0),
        ("cash", 16, 1),
    ]


@pytest.mark.parametrize("included", [True, False])
async def test_figures_add_up_to_the_total_of_the_order(store, seller, new_order, pay, issue, included):
    await new_order()
    service = {"service_charge_rate": 7.5, "service_charge_modes": ["takeaway"], "is_service_charge_taxed": True}
    reply = await store.send("PUT", "/settings", {"is_tax_included": included, "tax_rate": 23, **service})
    assert reply.status == 200, reply
    order = await new_order()
    discount = {"percent": 10, "reason": "Regular guest"}
    assert (await store.send("POST", f"/orders/{order['id']}/discounts", discount)).status == 201
    order = (await store.get(f"/orders/{order['id']}")).document
    await pay(order)

    invoice = (await issue(order)).document

    cents = {name: round(100 * sum(each["amount"] for each in invoice[name])) for name in ("lines", "adjustments")}
    labels = ["Discount", "Service charge"] if included else ["Discount", "Service charge", "Tax"]
    assert [each["label"] for each in invoice["adjustments"]] == labels
    tip, total = round(100 * invoice["tip"]), round(100 * invoice["total"])
    assert total == round(100 * order["total"]) == cents["lines"] + cents["adjustments"] + tip
    assert total - tip == round(100 * sum(row["gross"] for row in invoice["taxes"]))
    assert round(100 * sum(row["tax"] for row in invoice["taxes"])) == round(100 * order["tax_total"])


async def test_second_request_finds_the_first_invoice(store, invoice, paid_order, issue, last_number):
    again = await issue(paid_order, name="Somebody Else")

    assert (again.status, again["id"], again["buyer"]["name"]) == (201, invoice["id"], "Nordwind GmbH")
    assert again.headers["idempotent-replayed"] == "true"
    assert await last_number() == 1


async def test_numbers_have_no_gaps_whatever_fails_at_once(
    store, seller, new_order, pay, issue, gather, documents, last_number
):
    orders = [await new_order() for _ in range(8)]
    for order in orders:
        await pay(order)
    unpaid = await new_order()

    replies = await gather(*(issue(each) for order in orders for each in (order, unpaid, order)))

    assert sorted({reply.status for reply in replies}) == [201, 409]
    numbers = [number for _, number, _ in await documents()]
    assert sorted(numbers) == [f"INV-{number:06}" for number in range(1, 9)]
    assert await last_number() == 8


async def test_transaction_that_fails_takes_no_number(store, seller, paid_order, new_order, pay, issue, last_number):
    await sql.execute(
        """CREATE FUNCTION fail_document() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'power cut'; END $$"""
    )
    await sql.execute(
        "CREATE TRIGGER fail AFTER INSERT ON invoices_document FOR EACH ROW EXECUTE FUNCTION fail_document()"
    )
    try:
        assert (await issue(paid_order)).status == 500
    finally:
        await sql.execute("DROP TRIGGER fail ON invoices_document")
        await sql.execute("DROP FUNCTION fail_document")

    assert await last_number() is None
    assert (await issue(paid_order))["number"] == "INV-000001"


async def test_stores_with_one_prefix_share_a_series(store, invoice, open_store, set_seller, new_order, pay, issue):
    other = await open_store("restaurant")
    assert (await other.send("PUT", "/settings/invoices", {"legal_name": "x", "address": "y"})).status == 200
    soup = await other.item("Soup", 4)
    numbers = []
    for prefix in ("INV-", "B/"):
        await other.send("PUT", "/settings/invoices", {"prefix": prefix})
        order = await other.order(line(soup), type="takeaway")
        assert (await other.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})).status == 201
        reply = await other.send("POST", f"/orders/{order['id']}/invoice", {"name": "x", "address": "y"})
        numbers.append(reply["number"])

    assert (invoice["number"], numbers) == ("INV-000001", ["INV-000002", "B/000001"])


async def test_invoice_stays_when_menu_and_store_change(store, set_seller, invoice):
    item_id = (await store.get("/menu/items"))["data"][0]["id"]
    await store.send("PUT", f"/menu/items/{item_id}", {"name": "Stew", "price": 99, "tax_rate": 1})
    await set_seller(legal_name="Another Ltd", prefix="X-")
    await store.send("PUT", "/settings", {"title": "Elsewhere", "timezone": "Asia/Tokyo"})

    assert (await store.get(f"/invoices/{invoice['id']}")).document == invoice


@pytest.mark.parametrize("change", ["content = '{}'", "total_minor = 1", "number = 7", "order_id = order_id"])
async def test_database_refuses_changes_of_a_document(invoice, change):
    with pytest.raises(asyncpg.RaiseError, match="was issued and cannot be changed"):
        await sql.execute(f"UPDATE invoices_document SET {change} WHERE id = $1", invoice["id"])


async def test_documents_of_an_erased_owner_go_with_the_account(store, owner, invoice, paid_order):
    await store.send("POST", f"/invoices/{invoice['id']}/cancel", {"reason": "Wrong buyer"})
    assert (await store.set_status(paid_order["id"], "completed")).status == 200

    plan = await erase_owner(owner.email)

    assert (plan.deleted["invoices_document"], plan.deleted["invoices_series"], plan.kept) == (2, 1, {})


async def test_order_that_is_not_paid_has_no_invoice(seller, new_order, pay, issue, documents):
    order = await new_order()
    await pay(order, amount=24.99)

    reply = await issue(order)

    assert (reply.status, reply["reason"]) == (409, "order_unpaid")
    assert await documents() == []


async def test_store_without_legal_name_is_told_where_to_enter_it(paid_order, set_seller, issue, documents):
    await set_seller(address="")

    reply = await issue(paid_order)

    assert (reply.status, reply["reason"]) == (409, "seller_incomplete")
    assert reply["message"] == "Enter the legal name and the address in the settings of the store, under Invoices."
    assert await documents() == []


@pytest.mark.parametrize("field", ["name", "address"])
async def test_buyer_without_name_or_address_is_refused(seller, paid_order, issue, documents, field):
    reply = await issue(paid_order, **{field: " \t"})

    assert (reply.status, list(reply.errors)) == (422, [field])
    assert await documents() == []


async def test_order_that_was_refunded_in_full_has_no_invoice(seller, paid_order, refund, issue):
    await refund(paid_order)

    assert (await issue(paid_order))["reason"] == "order_refunded"
