"""Validation of days."""

import pytest


@pytest.mark.parametrize("query", ["first=x", "first=-1", "first=99999-01-01", "count=0", "count=61", "count=x"])
async def test_invalid_days_are_refused(shop, query):
    assert (await shop.send("GET", f"/florist/days?{query}")).status == 422
