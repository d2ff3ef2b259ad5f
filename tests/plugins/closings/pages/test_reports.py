"""The day report in the dashboard."""

from comanda.devkit.testing import line


async def test_report_says_which_days_it_means(shop, dashboard):
    business = await dashboard.get(f"/stores/{shop.id}/day-report")
    calendar = await dashboard.get(f"/stores/{shop.id}/day-report?day=calendar")

    assert "Days are business days, which begin at 04:00." in business
    assert "Days are those of the calendar, from midnight to midnight." in calendar


async def test_report_shows_totals_and_sends_tables(shop, dashboard):
    await shop.pay(await shop.order(line(shop.soup, 2)), tip=1)

    page = await dashboard.get(f"/stores/{shop.id}/day-report?from=2030-05-14&to=2030-05-15")
    table = await dashboard.get(f"/stores/{shop.id}/day-report.csv?from=2030-05-14&to=2030-05-15&table=days")

    for text in ("Gross sales", "€20.00", "€21.00", "Cash", "13:00", "Takeaway"):
        assert text in page, text
    assert [row.split(",")[:2] for row in table.splitlines()[1:]] == [["2030-05-14", "0"], ["2030-05-15", "1"]]


async def test_wrong_period_is_explained(shop, dashboard):
    page = await dashboard.get(f"/stores/{shop.id}/day-report?from=2030-05-16&to=2030-05-15", status=422)

    assert "Must not be after to." in page
