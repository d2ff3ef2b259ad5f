"""Shipping rates in the settings of a store."""


async def test_rates_have_a_tab_in_the_dashboard(dashboard, shop):
    path = f"/stores/{shop.id}/settings/plugins/shipping"
    await dashboard.post(path, {"rate": "4,90", "free_over": "50", "tax_rate": ""})
    page = await dashboard.get(path)
    wrong = await dashboard.post(path, {"rate": "-1", "free_over": "", "tax_rate": "130"}, status=422)

    assert "Shipping rates" in await dashboard.get(f"/stores/{shop.id}/settings")
    assert 'value="4.9"' in page
    assert wrong.count('aria-invalid="true"') == 2
    assert (await shop.get("/settings/shipping")).document == {"rate": 4.9, "free_over": 50.0, "tax_rate": None}
