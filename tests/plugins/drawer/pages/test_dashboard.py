"""Cash drawers in the dashboard."""

from comanda.devkit.testing import sign_in


async def test_drawer_is_opened_reported_counted_and_closed(dashboard, store):
    path = f"/stores/{store.id}/drawers"

    one = await dashboard.post(path, {"drawer": "Bar", "opening_float": "100"})
    await dashboard.post(f"{one}/move", {"kind": "paid_out", "amount": "12,50", "note": "Ice"})
    report = await dashboard.get(one)
    opened = await dashboard.get(path)
    await dashboard.post(f"{one}/close", {"counted": "85", "note": ""})
    closed = await dashboard.get(one)

    assert "X report: Bar" in report
    assert "€87.50" in report
    assert "Ice" in report
    assert "Count and close" in opened
    assert "Z report: Bar" in closed
    assert "Too little in the drawer." in closed
    assert "Closed shifts" in await dashboard.get(path)


async def test_wrong_amounts_and_a_second_closing_are_refused(dashboard, store):
    path = f"/stores/{store.id}/drawers"
    page = await dashboard.post(path, {"drawer": "Bar", "opening_float": "much"}, status=422)
    assert 'value="much"' in page

    one = await dashboard.post(path, {"drawer": "Bar", "opening_float": "0"})
    assert "notice problem" in await dashboard.post(path, {"drawer": "Bar", "opening_float": "5"}, status=422)
    await dashboard.post(f"{one}/move", {"kind": "paid_in", "amount": ""}, status=422)
    await dashboard.post(f"{one}/close", {"counted": "0"})
    assert "notice problem" in await dashboard.post(f"{one}/close", {"counted": "1"}, status=422)
    await dashboard.post(f"{one}/driver-cash", {"driver_id": "x"})
    await dashboard.get(f"{path}/999999", status=404)


async def test_readers_see_drawers_and_open_none(app, owner, dashboard, store):
    path = f"/stores/{store.id}/drawers"
    one = await dashboard.post(path, {"drawer": "Bar", "opening_float": "100"})
    reader = await sign_in(app, owner.id, scopes={"orders:read"})

    assert "Open a drawer" not in await reader.get(path)
    assert "Count and close" not in await reader.get(one)
    await reader.post(f"{one}/close", {"counted": "1"}, status=403)
    assert "All cash belongs to a drawer." in await reader.get(f"{path}/unassigned")
