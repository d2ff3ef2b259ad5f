"""Invoices in the dashboard."""

import pytest


@pytest.fixture
def path(store):
    return f"/stores/{store.id}"


async def test_owner_issues_and_cancels_an_invoice(dashboard, store, path, paid_order, set_seller):
    order = f"{path}/orders/{paid_order['id']}"
    assert "No invoices yet" in await dashboard.get(f"{path}/invoices")
    form = {"name": "Nordwind GmbH", "address": "Hafen 7", "tax_number": "DE8", "email": ""}
    assert "Enter the legal name and the address" in await dashboard.post(f"{order}/invoice", form, status=422)
    await set_seller()
    assert f'href="/dashboard{order}/invoice"' in await dashboard.get(order)
    assert 'aria-invalid="true"' in await dashboard.post(f"{order}/invoice", {**form, "name": ""}, status=422)

    page = await dashboard.post(f"{order}/invoice", form)

    (invoice,) = (await store.get("/invoices"))["data"]
    assert page == f"{path}/invoices/{invoice['id']}"
    assert f'href="/dashboard{order}/invoice"' not in (shown := await dashboard.get(order))
    assert f'href="/dashboard{page}"' in shown
    assert "Nordwind GmbH" in await dashboard.get(page)
    assert 'aria-invalid="true"' in await dashboard.post(f"{page}/cancel", {"reason": ""}, status=422)
    note = await dashboard.post(f"{page}/cancel", {"reason": "Wrong buyer"})
    assert "Wrong buyer" in await dashboard.get(note)
    assert "Cancel the invoice" not in await dashboard.get(page)
    assert f'href="/dashboard{order}/invoice"' in await dashboard.get(order)


async def test_list_and_file_are_of_a_month(dashboard, path, invoice, store):
    month = invoice["issued_on"][:7]

    assert "INV-000001" in await dashboard.get(f"{path}/invoices?month={month}")
    assert "No invoices found" in await dashboard.get(f"{path}/invoices?month=2001-01")
    assert "INV-000001,{}".format(invoice["issued_on"]) in await dashboard.get(f"{path}/invoices.csv?month={month}")
    assert (await store.get("/invoices?month=2001-01"))["total"] == 0
    for wrong in ("2001-13", "0000-01", "x"):
        reply = await store.send("GET", f"/invoices?month={wrong}")
        assert (reply.status, list(reply.errors)) == (422, ["month"])


async def test_order_that_changed_says_so(dashboard, store, path, invoice, paid_order):
    order = f"{path}/orders/{paid_order['id']}"
    assert "has changed since" not in await dashboard.get(order)
    reopened = await store.send("POST", f"/orders/{paid_order['id']}/reopen", {"reason": "One more"})
    assert reopened.status == 200, reopened
    items = [{"item_id": paid_order["items"][0]["item_id"]}]
    assert (await store.send("POST", f"/orders/{paid_order['id']}/lines", {"items": items})).status in (200, 201)

    assert "has changed since" in await dashboard.get(order)


async def test_invoice_of_another_store_looks_missing(dashboard, open_store, invoice):
    other = f"/stores/{(await open_store('restaurant')).id}/invoices/{invoice['id']}"

    await dashboard.get(other, status=404)
    await dashboard.post(f"{other}/cancel", {"reason": "x"}, status=404)
