"""Guest routes."""


async def test_guests_require_customer_scopes(client, store, owner, order, list_guests):
    await order()
    path = f"/api/v1/restaurants/{store.id}/guests/{(await list_guests())[0]['id']}"
    reader = await owner.token_with("customers:read")

    assert (await client.get(path, headers=reader)).status_code == 200
    assert (await client.put(path, headers=reader, json={"tags": ["x"]})).status_code == 403
    assert (await list_guests())[0]["tags"] == []


async def test_guest_of_other_store_returns_404(client, store, owner, order, list_guests):
    await order()
    path = f"/guests/{(await list_guests())[0]['id']}"
    other = type(store)(client, owner, await owner.store())

    assert (await other.send("GET", path)).status == 404
    assert (await other.send("PUT", path, {"tags": ["x"]})).status == 404
    assert (await store.get(path))["tags"] == []
