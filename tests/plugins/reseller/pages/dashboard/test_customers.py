"""The customers and the figures of a reseller in the dashboard."""

import re

from comanda.devkit.testing import sign_in


async def test_a_customer_is_created_edited_suspended_and_restored(reseller, dashboard):
    path = await dashboard.post(
        "/reseller/customers/new",
        {"name": "Tasca da Rosa", "email": "rosa@tasca.example", "collection_method": "manual", "language": "pt"},
    )
    await dashboard.post(f"{path}/edit", {"legal_name": "Tasca Lda", "collection_method": "wallet", "language": "pt"})
    page = await dashboard.get(path)
    await dashboard.post(f"{path}/suspend", {"reason": "Two invoices <overdue>"})
    suspended = await dashboard.get("/reseller/customers?status=suspended&search=rosa")
    shown = await dashboard.get(path)
    await dashboard.post(f"{path}/unsuspend")
    restored = await dashboard.get(path)

    assert re.fullmatch(r"/reseller/customers/\d+", path)
    assert "Tasca Lda" in page
    assert "Send invitation" in page
    assert "Tasca da Rosa" in suspended
    assert "Two invoices &lt;overdue&gt;" in shown
    assert "Lift suspension" not in restored


async def test_a_wrong_address_is_named_and_values_stay(reseller, dashboard):
    page = await dashboard.post("/reseller/customers/new", {"name": "Rosa", "email": "nobody"}, status=422)

    assert 'value="Rosa"' in page
    assert 'aria-invalid="true"' in page


async def test_figures_count_customers_by_state(reseller, dashboard):
    await reseller.subscribe(await reseller.customer(), await reseller.plan(price=30))

    page = await dashboard.get("/reseller")

    assert "30.00" in page
    assert "New in 30 days" in page
    assert "Your tier" in page


async def test_owners_who_are_no_resellers_see_neither_links_nor_pages(reseller, app, other_owner):
    stranger = await sign_in(app, other_owner.id)
    customer = await reseller.customer()

    page = await stranger.get("/wallet")
    await stranger.get("/reseller/customers", status=403)
    await stranger.get(f"/reseller/customers/{customer.id}", status=403)

    assert "/dashboard/reseller" not in page


async def test_a_customer_of_another_reseller_is_missing(reseller, dashboard, other_owner):
    await dashboard.get(f"/reseller/customers/{other_owner.id}", status=404)
    await dashboard.post(f"/reseller/customers/{other_owner.id}/suspend", {"reason": "No"}, status=404)
