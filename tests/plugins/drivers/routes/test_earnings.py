"""Query parameters of earnings."""

import pytest

INVALID_QUERIES = [
    ("?from=2026-03-10&to=2026-03-09", "to"),
    ("?from=2026-01-01&to=2026-12-31", "to"),
    ("?from=x", "from"),
    ("?to=0000-00-00", "to"),
    ("?currency=x", "currency"),
    ("?currency=FBB", "currency"),
    ("?restaurant_id=0", "restaurant_id"),
    ("?restaurant_id=987654321", "restaurant_id"),
]


async def test_invalid_period_or_store_is_refused(paying, driver, subtests):
    for query, field in INVALID_QUERIES:
        with subtests.test(query=query, field=field):
            assert list((await driver.send("GET", f"/earnings{query}")).errors) == [field]


@pytest.mark.parametrize("query", ["?from=0001-01-01", "?to=0001-01-01", "?from=9999-12-31", "?to=9999-12-31"])
async def test_first_and_last_calendar_days_are_accepted(paying, driver, query):
    assert (await driver.send("GET", f"/earnings{query}")).status in {200, 422}


@pytest.mark.parametrize("query", ["?from=2026-07-01", "?to=2026-07-07"])
async def test_a_week_begins_or_ends_with_the_day_that_is_given(paying, driver, query):
    found = await driver.get_earnings(query)

    assert (found["from"], found["to"]) == ("2026-07-01", "2026-07-07")
