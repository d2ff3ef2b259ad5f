"""Validation of starter menus."""

import pytest


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "preset"), ({"preset": "sushi"}, "preset"), ({"preset": "cafe", "price_factor": 0}, "price_factor"),
        ({"preset": "cafe", "price_factor": 100_001}, "price_factor"),
        ({"preset": "cafe", "price_factor": True}, "price_factor"),
    ],
)  # fmt: skip
async def test_invalid_body_is_refused(store, published, body, field):
    refused = await store.send("POST", "/menu/starter", body)

    assert list(refused.errors) == [field]
    assert (await store.get("/menu")).document == []
    assert await published() == []
