"""Reports in the dashboard."""

from comanda.devkit.testing import sign_in


async def test_report_shows_a_period_and_downloads_it(dashboard, store):
    soup = await store.item("=Soup", price=10)
    await store.order({"item_id": soup["id"], "quantity": 2}, type="takeaway")
    path = f"/stores/{store.id}/reports"

    page = await dashboard.get(f"{path}?period=7")
    days = await dashboard.get(f"{path}/days.csv?period=7")
    items = await dashboard.get(f"{path}/items.csv")

    assert "Sales by day" in page
    assert "€20.00" in page
    assert "=Soup" in page
    assert len(days.splitlines()) == 8
    assert days.splitlines()[7].split(",")[1:4] == ["1", "0", "20.0"]
    assert "'=Soup,2" in items
    await dashboard.get(f"{path}/others.csv", status=404)
    assert "Sales by day" not in await dashboard.get(f"{path}?period=1")


async def test_wrong_period_is_refused_with_a_sentence(dashboard, store):
    path = f"/stores/{store.id}/reports"

    assert "Must not be after to." in await dashboard.get(f"{path}?from=2030-02-01&to=2030-01-01", status=422)
    assert "notice problem" in await dashboard.get(f"{path}?from=nonsense", status=422)
    await dashboard.get(f"{path}/days.csv?from=2020-01-01&to=2030-01-01", status=422)


async def test_reports_are_shown_to_those_who_may_see_them(app, owner, store):
    cook = await sign_in(app, owner.id, scopes={"orders:read"})

    await cook.get(f"/stores/{store.id}/reports", status=403)
    assert f"/stores/{store.id}/reports" not in await cook.get(f"/stores/{store.id}")
