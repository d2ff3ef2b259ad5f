"""Invoices of a reseller in the dashboard."""

import pytest


@pytest.fixture
async def invoice(reseller):
    """An open invoice of a customer who pays by hand."""
    customer = await reseller.customer(collection_method="manual")
    await reseller.subscribe(customer, await reseller.plan())
    return (await reseller.get("/customer-invoices"))["data"][0]


async def test_an_open_invoice_is_marked_as_paid_and_credited(invoice, reseller, dashboard):
    path = f"/reseller/invoices/{invoice['id']}"

    listed = await dashboard.get("/reseller/invoices?status=open")
    page = await dashboard.get(path)
    await dashboard.post(f"{path}/mark-paid", {"reference": "Transfer 12"})
    paid = await dashboard.get(path)
    without_reason = await dashboard.post(f"{path}/credit-notes", {"amount": "5", "reason": ""}, status=422)
    note = await dashboard.post(f"{path}/credit-notes", {"amount": "5", "reason": "Down for a day", "refund_to": ""})

    assert invoice["number"] in listed
    assert "Mark as paid" in page
    assert f'href="/reseller/invoices/{invoice["id"]}.pdf"' in page
    assert "Transfer 12" in paid
    assert 'value="5"' in without_reason
    assert note != path
    assert "Down for a day" in await dashboard.get(note)


async def test_an_invoice_is_voided_with_a_reason(invoice, reseller, dashboard):
    path = f"/reseller/invoices/{invoice['id']}"

    await dashboard.post(f"{path}/void", {"reason": ""})
    unchanged = await reseller.get(f"/customer-invoices/{invoice['id']}")
    await dashboard.post(f"{path}/void", {"reason": "Billed twice"})
    page = await dashboard.get(path)

    assert unchanged["status"] == "open"
    assert "Billed twice" in page


async def test_fees_of_the_platform_are_listed(reseller, dashboard):
    assert "Platform fees" in await dashboard.get("/reseller/platform-invoices")
