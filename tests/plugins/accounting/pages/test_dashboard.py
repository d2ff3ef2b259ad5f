"""Accounting in the dashboard."""

from comanda.devkit.testing import line, sign_in

MAY = "from=2030-05-01&to=2030-05-31"


async def test_period_is_looked_at_and_downloaded(shop, dashboard):
    path = f"/stores/{shop.id}/accounting"
    await shop.set_accounts(chart="skr03", consultant_number=1001, client_number=1)
    await shop.pay(await shop.order(line(shop.soup)))
    closing = await shop.close()

    page = await dashboard.get(f"{path}?{MAY}")
    journal = await dashboard.get(f"{path}.csv?{MAY}")
    datev = await dashboard.client.get(f"/dashboard{path}.csv?{MAY}&format=datev")

    assert f'href="/dashboard/stores/{shop.id}/closings/{closing["id"]}">Z 1</a>' in page
    assert "Days are closed up to" in page
    assert f'href="/dashboard{path}.csv?from=2030-05-01&amp;to=2030-05-31&amp;format=journal"' in page
    assert journal.splitlines()[1].startswith("2030-05-15,1,1410,8400,11.90")
    assert (await datev.get_data()).startswith(b'"EXTF";700;21;')


async def test_month_before_is_shown_first(shop, dashboard):
    page = await dashboard.get(f"/stores/{shop.id}/accounting")

    assert 'value="2030-04-01"' in page
    assert 'value="2030-04-30"' in page
    assert "No day is closed yet." in page


async def test_missing_account_is_said_in_place_of_files(shop, dashboard):
    await shop.set_accounts(chart="skr03")
    await shop.send("PUT", f"/menu/items/{shop.cake['id']}", {"tax_rate": 5.5})
    await shop.pay(await shop.order(line(shop.cake)))
    await shop.close()

    page = await dashboard.get(f"/stores/{shop.id}/accounting?{MAY}")

    assert "There is no account for revenue at 5.5%. Enter it in the settings." in page
    assert "accounting.csv" not in page


async def test_wrong_period_is_said(shop, dashboard):
    page = await dashboard.get(f"/stores/{shop.id}/accounting?from=2030-01-01&to=2032-01-01", status=422)

    assert "A report can cover at most 366 days." in page


async def test_page_needs_the_scope_of_reports(app, owner, shop):
    stranger = await sign_in(app, owner.id, scopes={"orders:read"})

    await stranger.get(f"/stores/{shop.id}/accounting", status=403)


async def test_accounts_have_a_tab_in_the_settings(shop, dashboard):
    path = f"/stores/{shop.id}/settings/plugins/accounting"

    await dashboard.post(path, {"chart": "skr03", "revenue_accounts": "19 = 8401", "client_number": ""})

    assert "19 = 8401" in await dashboard.get(path)
    wrong = await dashboard.post(path, {"revenue_accounts": "19"}, status=422)
    assert "Must have a tax rate and an account on each line, such as 19 = 8400." in wrong
