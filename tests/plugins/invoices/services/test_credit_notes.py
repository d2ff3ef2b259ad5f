"""Credit notes of refunds and of invoices that are cancelled."""

import pytest
from comanda.contracts import Charge
from comanda.orders.bills.charges import add_charge_of


@pytest.fixture
def taxes(store):
    """Return the taxes of all documents by rate, in cents."""

    async def read():
        sums = {}
        for each in (await store.get("/invoices"))["data"]:
            for row in (await store.get(f"/invoices/{each['id']}"))["taxes"]:
                net, tax = sums.get(row["rate"], (0, 0))
                sums[row["rate"]] = (net + round(100 * row["net"]), tax + round(100 * row["tax"]))
        return sums

    return read


async def test_refund_of_an_amount_is_credited_once(store, invoice, paid_order, refund, handle, gather, documents):
    await refund(paid_order, amount=5)

    await gather(*(handle(paid_order) for _ in range(8)))
    await handle(paid_order, paid_order)

    assert await documents() == [("invoice", "INV-000001", 25), ("credit_note", "INV-000002", -5)]
    note = (await store.get("/invoices"))["data"][0]
    shown = (await store.get(f"/invoices/{note['id']}")).document
    assert (shown["invoice_id"], shown["invoice_number"], shown["lines"]) == (invoice["id"], "INV-000001", [])
    assert shown["buyer"] == invoice["buyer"]
    assert shown["total"] == sum(row["gross"] for row in shown["taxes"]) + shown["tip"] == -5
    assert (await store.get(f"/invoices/{invoice['id']}"))["credited"] == 5


async def test_refund_of_a_line_is_credited_at_its_tax_rate(store, invoice, paid_order, refund, handle):
    tea = next(each for each in paid_order["items"] if each["name"] == "Tea")
    await refund(paid_order, lines=[{"line_id": tea["id"]}])
    await handle(paid_order)

    note = (await store.get("/invoices"))["data"][0]
    shown = (await store.get(f"/invoices/{note['id']}")).document
    assert [(row["rate"], row["tax"], row["gross"]) for row in shown["taxes"]] == [(6, -0.17, -3)]
    assert (shown["tip"], shown["total"]) == (0, -3)


async def test_refunds_in_parts_leave_nothing_of_any_tax(store, invoice, paid_order, refund, handle, documents, taxes):
    for amount in (3.33, 7.77, 0.01):
        await refund(paid_order, amount=amount)
        await handle(paid_order)
    await refund(paid_order)
    await handle(paid_order)

    assert [total for _, _, total in await documents()] == [25, -3.33, -7.77, -0.01, -13.89]
    assert await taxes() == {6: (0, 0), 23: (0, 0)}
    assert (await store.get(f"/invoices/{invoice['id']}"))["is_cancelled"]


async def test_refund_before_the_invoice_is_credited_with_it(seller, paid_order, refund, issue, handle, documents):
    await refund(paid_order, amount=5)
    await handle(paid_order)
    invoice = (await issue(paid_order)).document
    await handle(paid_order)

    assert (invoice["total"], invoice["credited"]) == (25, 5)
    assert [total for _, _, total in await documents()] == [25, -5]


async def test_order_without_an_invoice_has_no_credit_note(seller, paid_order, refund, handle, documents):
    await refund(paid_order)
    await handle(paid_order)

    assert await documents() == []


async def test_wrong_buyer_is_corrected_by_cancelling(store, invoice, paid_order, issue, refund, handle, documents):
    await refund(paid_order, amount=5)
    await handle(paid_order)
    path = f"/invoices/{invoice['id']}/cancel"

    note = await store.send("POST", path, {"reason": "Wrong buyer"})
    again = await issue(paid_order, name="Südwind GmbH")
    await handle(paid_order)

    assert (note.status, note["kind"], note["total"], note["reason"]) == (201, "credit_note", -20, "Wrong buyer")
    assert (again["buyer"]["name"], again["credited"]) == ("Südwind GmbH", 5)
    assert [number for _, number, _ in await documents()] == [f"INV-{number:06}" for number in range(1, 6)]
    assert [total for _, _, total in await documents()] == [25, -5, -20, 25, -5]
    refused = await store.send("POST", path, {"reason": "Again"})
    assert (refused.status, refused["reason"]) == (409, "invoice_cancelled")
    other = await store.send("POST", f"/invoices/{note['id']}/cancel", {"reason": "x"})
    assert (other.status, other["reason"]) == (409, "not_an_invoice")


async def test_invoices_cancelled_at_once_have_one_credit_note(store, invoice, gather, documents):
    path = f"/invoices/{invoice['id']}/cancel"

    replies = await gather(*(store.send("POST", path, {"reason": "x"}) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 409, 409, 409]
    assert [total for _, _, total in await documents()] == [25, -25]


async def test_cancelled_order_is_credited_with_its_refund(store, invoice, paid_order, handle, documents):
    assert (await store.set_status(paid_order["id"], "cancelled")).status == 200
    await handle(paid_order)
    left = (await store.get(f"/orders/{paid_order['id']}"))["paid_total"]
    refunded = (await store.get(f"/orders/{paid_order['id']}"))["refunded_total"]

    assert sum(total for _, _, total in await documents()) == left - refunded


async def test_refund_of_an_order_that_became_dearer_is_credited(
    store, owner, invoice, paid_order, pay, refund, handle, documents
):
    charge = Charge("late_fee", "Returned late", 1000)
    await add_charge_of(owner.id, store.id, paid_order["id"], charge, actor="plugin:rental", plugin="rental")
    await pay(paid_order)
    await handle(paid_order)
    assert [total for _, _, total in await documents()] == [25]

    await refund(paid_order, amount=5)
    await handle(paid_order)

    assert [total for _, _, total in await documents()] == [25, -5]


async def test_order_that_was_merged_into_another_one_is_credited(
    store, seller, new_order, pay, issue, dispatch, documents
):
    left, stays = await new_order(type="on-table", table_number="1"), await new_order(type="on-table", table_number="2")
    await pay(left)
    assert (await issue(left)).status == 201
    await store.send("POST", f"/orders/{left['id']}/reopen", {"reason": "One bill"})
    merged = await store.send("POST", f"/orders/{stays['id']}/merge", {"order_id": left["id"]})
    assert merged.status in (200, 201), merged

    await dispatch()

    assert [total for _, _, total in await documents()] == [25, -25]
