"""The day's sales on the first page of the dashboard."""

from comanda.devkit.testing import sign_in


async def test_sales_are_shown_to_those_who_may_see_reports(app, owner, dashboard, store):
    page = await dashboard.get(f"/stores/{store.id}")
    live = await dashboard.get(f"/stores/{store.id}/sales-today")

    assert "Sales today" in page
    assert "a week ago" in live
    cook = await sign_in(app, owner.id, scopes={"orders:read"})
    assert "Sales today" not in await cook.get(f"/stores/{store.id}")
    await cook.get(f"/stores/{store.id}/sales-today", status=403)
