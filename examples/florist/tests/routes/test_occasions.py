"""Access to occasions."""

import pytest


@pytest.mark.parametrize("place", ["0", "abc", "9223372036854775808", "-1", "%00"])
async def test_invalid_id_is_not_found(shop, place):
    assert (await shop.send("GET", f"/florist/occasions/{place}")).status == 404


async def test_token_without_scope_is_refused(shop, owner, client):
    orders_only = await owner.token_with("orders:write")
    path = f"/api/v1/restaurants/{shop.id}/florist/occasions"

    assert (await client.get(path, headers=orders_only)).status_code == 403
    assert (await client.get(path)).status_code == 401
