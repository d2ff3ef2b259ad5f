"""Addresses of webhooks that nobody has."""

import pytest


@pytest.mark.parametrize("path", ["barter", "cash", "stripe/1", "stripe/x-y", "stripe/1-999999", "demo", "stripe"])
async def test_unknown_addresses_are_not_found(client, path):
    assert (await client.post(f"/api/v1/payments/webhooks/{path}", data=b"{}")).status_code == 404
