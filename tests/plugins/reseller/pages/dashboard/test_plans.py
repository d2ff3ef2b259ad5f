"""Plans of a reseller in the dashboard."""


async def test_a_plan_is_created_and_changed(reseller, dashboard):
    fields = {
        "name": "Pro", "code": "pro", "price": "49.50", "interval": "month", "trial_days": "14", "active": "true",
        "limits.stores": "3", "limits.items": "", "features": ["", "webhooks"],
    }  # fmt: skip

    await dashboard.get("/reseller/plans/new")
    await dashboard.post("/reseller/plans/new", fields)
    [plan] = (await reseller.get("/plans"))["data"]
    shown = await dashboard.get(f"/reseller/plans/{plan['id']}")
    await dashboard.post(f"/reseller/plans/{plan['id']}", {"price": "59", "active": "false"})
    listed = await dashboard.get("/reseller/plans")

    assert (plan["price"], plan["limits"]["stores"], plan["features"]) == (49.5, 3, ["webhooks"])
    assert 'value="webhooks" checked' in shown
    assert "59.00" in listed
    assert "No longer sold" in listed


async def test_a_wrong_price_is_named_beside_its_field(reseller, dashboard):
    page = await dashboard.post("/reseller/plans/new", {"name": "Pro", "code": "PRO!", "price": "dear"}, status=422)

    assert 'value="dear"' in page
    assert page.count('aria-invalid="true"') == 2


async def test_reseller_without_stores_starts_on_its_own_page(reseller, dashboard):
    response = await dashboard.client.get("/dashboard")

    assert response.status_code == 303
    assert response.headers["Location"] == "/dashboard/reseller"
