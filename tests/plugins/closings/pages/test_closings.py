"""Day reports and closings in the dashboard."""

from comanda.devkit.testing import line, sign_in


async def test_day_is_looked_at_closed_and_printed(shop, dashboard):
    path = f"/stores/{shop.id}/closings"
    await shop.pay(await shop.order(line(shop.soup, 2)))

    opened = await dashboard.get(path)
    looked_at = await dashboard.get(f"{path}/open")
    one = await dashboard.post(path, {"day": "2030-05-15"})
    closed = await dashboard.get(one)
    table = await dashboard.get(f"{one}.csv?table=tenders")

    assert "Close the day (Z)" in opened
    assert "X report" in looked_at
    assert "Nothing is closed yet" in looked_at
    assert "Z report 1" in closed
    assert "€20.00" in closed
    assert table.splitlines()[1].startswith("cash,1,20.00")
    assert f'href="/dashboard{one}">Z 1</a>' in await dashboard.get(path)


async def test_refusal_says_what_is_open(shop, dashboard):
    await shop.order(line(shop.soup))

    page = await dashboard.post(f"/stores/{shop.id}/closings", {"day": "2030-05-15"}, status=422)

    assert "1 check is open." in page
    assert "There are open checks. Take their payments, or complete or cancel them." in page


async def test_readers_see_closings_and_make_none(app, owner, shop, dashboard):
    reader = await sign_in(app, owner.id, scopes={"analytics:read"})

    page = await reader.get(f"/stores/{shop.id}/closings")

    assert "Close the day (Z)" not in page
    await reader.post(f"/stores/{shop.id}/closings", {"day": "2030-05-15"}, status=403)
