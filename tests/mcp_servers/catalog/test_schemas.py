"""Validation of the catalog's tools."""

import pytest


@pytest.mark.parametrize("query", ["", "...", "%_'\\"])
async def test_item_search_requires_a_word(public, query):
    assert list((await public.refused("search_items", {"query": query}))["errors"]) == ["query"]
