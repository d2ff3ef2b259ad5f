"""Validation of the customer's tools."""

import pytest


@pytest.mark.parametrize("limit", [0, 51, -1, "many", 1.5])
async def test_limit_is_1_to_50(agent, limit):
    assert list((await agent.refused("my_orders", {"limit": limit}))["errors"]) == ["limit"]
