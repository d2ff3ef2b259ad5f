import pytest


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_store_of_another_owner_is_404(store, client, other_owner, method):
    path = f"/api/v1/restaurants/{store.id}/deliverect"

    response = await client.open(path, method=method, headers=other_owner.auth, json=store.body)

    assert response.status_code == 404
    assert (await store.get("/deliverect"))["location_id"] == store.location


async def test_orders_of_another_owner_are_404(store, client, other_owner):
    response = await client.get(f"/api/v1/restaurants/{store.id}/deliverect/orders", headers=other_owner.auth)

    assert response.status_code == 404
