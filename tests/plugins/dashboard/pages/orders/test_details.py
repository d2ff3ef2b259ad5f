"""One order in the dashboard."""

import re

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.fixture
async def order(store):
    soup = await store.item("Soup", 5)
    fields = {"customer_name": "Ana Silva", "phone": "+351 912 345 678", "note": "<b>Ring</b> twice"}
    return await store.order(line(soup, 2, note="No salt"), **fields)


async def test_order_is_shown_with_everything_known_of_it(dashboard, store, order):
    await store.set_status(order["id"], "preparing", note="Chef knows")

    page = await dashboard.get(f"/stores/{store.id}/orders/{order['id']}")

    for text in ("Soup", "No salt", "€10.00", "Ana Silva", "tel:+351912345678", "Chef knows", "Still to pay"):
        assert text in page, text
    assert "&lt;b&gt;Ring" in page
    assert "Mark ready" in page


async def test_status_is_set_and_order_cancelled_with_a_reason(dashboard, store, order):
    path = f"/stores/{store.id}/orders/{order['id']}"

    assert await dashboard.post(f"{path}/status", {"status": "cancelled", "note": "Guest called"}) == path

    assert (await store.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    page = await dashboard.get(path)
    assert "Guest called" in page
    assert "Cancel the order" not in page


async def test_receipt_and_kitchen_slip_are_printed(dashboard, store, order):
    receipt = await dashboard.get(f"/stores/{store.id}/orders/{order['id']}/receipt")
    slip = await dashboard.get(f"/stores/{store.id}/orders/{order['id']}/kitchen-slip")

    assert "2 \N{MULTIPLICATION SIGN} Soup" in receipt
    assert "€10.00" in receipt
    assert "2 \N{MULTIPLICATION SIGN} Soup" in slip
    assert "No salt" in slip
    assert "€" not in slip


async def test_receipt_has_a_row_of_each_tax_rate(dashboard, store):
    await store.send("PUT", "/settings", {"tax_rate": 7, "is_tax_included": False})
    order = await store.order(line(await store.item("Book", 10)))

    for page in ("", "/receipt"):
        receipt = await dashboard.get(f"/stores/{store.id}/orders/{order['id']}{page}")
        table = receipt[receipt.index('aria-label="Taxes"') :]
        assert re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", table)[:8] == [
            *("Tax rate", "Net", "Tax", "Gross"),
            *("7%", "€10.00", "€0.70", "€10.70"),
        ]


async def test_receipt_takes_the_discount_off_once(dashboard, store, order):
    id = order["id"]
    line = "UPDATE core_order_line SET discount_minor = 100, total_minor = total_minor - 100 WHERE order_id = $1"
    total = """UPDATE core_order SET discount_total_minor = 100, total_minor = total_minor - 100, rounding_minor = 2
        WHERE id = $1"""
    await sql.execute(line, id)
    await sql.execute(total, id)

    receipt = await dashboard.get(f"/stores/{store.id}/orders/{id}/receipt")

    amounts = re.findall(r'<td class="number">([^<]*)</td>', receipt)
    assert amounts == ["€10.00", "€10.00", "-€1.00", "€9.00", "€0.02", "€9.00"]


async def test_receipt_lists_payments_with_their_tips(dashboard, store, order):
    payment = {"method": "card_external", "amount": 10, "tip": 1.5}
    assert (await store.send("POST", f"/orders/{order['id']}/payments", payment)).status == 201

    receipt = await dashboard.get(f"/stores/{store.id}/orders/{order['id']}/receipt")

    rows = re.findall(r'<th scope="row">([^<]*)</th><td class="number">([^<]*)</td>', receipt)
    assert rows[-3:] == [("Paid", "€10.00"), ("Tip", "€1.50"), ("Card, on a terminal of the store", "€11.50")]


async def test_order_of_another_store_is_not_found(dashboard, open_store, order):
    other = await open_store("restaurant")

    for page in ("", "/receipt", "/kitchen-slip"):
        await dashboard.get(f"/stores/{other.id}/orders/{order['id']}{page}", status=404)
