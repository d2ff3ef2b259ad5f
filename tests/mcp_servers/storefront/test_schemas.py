"""Validation of the storefront's tools."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"dietary": ["meat"]}, "dietary.0"), ({"max_price": -1}, "max_price"), ({"limit": 51}, "limit"),
        ({"query": "x" * 101}, "query"), ({"in_stock": "perhaps"}, "in_stock"),
    ],
)  # fmt: skip
async def test_invalid_search_is_refused_by_argument(guest, store, arguments, field):
    assert list((await guest.refused("search_menu", arguments))["errors"]) == [field]
