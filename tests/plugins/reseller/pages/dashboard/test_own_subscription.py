"""What a reseller's customer sees of its subscription in the dashboard."""

from comanda.devkit.testing import sign_in


async def test_a_customer_sees_its_plan_and_pays_its_invoice(app, reseller):
    customer = await reseller.customer(collection_method="manual")
    await reseller.subscribe(customer, await reseller.plan(name="Pro"))
    person = await sign_in(app, customer.id)
    [invoice] = (await reseller.get("/customer-invoices"))["data"]

    page = await person.get("/subscription")
    await person.post(f"/subscription/invoices/{invoice['id']}/pay")
    paid = await person.get("/subscription/invoices?status=paid")

    assert "Pro" in page
    assert "Pay from wallet" in page
    assert 'href="/dashboard/subscription"' in page
    assert invoice["number"] in paid


async def test_others_have_no_subscription(app, other_owner):
    page = await (await sign_in(app, other_owner.id)).get("/subscription")

    assert "No subscription" in page
    assert 'href="/dashboard/subscription"' not in page
