"""Customer routes of the owner."""

EVE = {"name": "Ève Gonçalves", "email": "Eve@example.com", "phone": "+351 912 345 678"}


async def test_customers_require_customer_scopes(client, store, owner, read_customers):
    eve = await store.send("POST", "/customers", EVE)
    before, path = await read_customers(), f"/api/v1/restaurants/{store.id}/customers"
    reader = await owner.token_with("customers:read")

    assert (await client.get(f"{path}/{eve['id']}/export", headers=reader)).status_code == 200
    assert (await client.post(path, headers=reader, json={"name": "x", "email": "x@example.com"})).status_code == 403
    assert (await client.delete(f"{path}/{eve['id']}", headers=reader)).status_code == 403
    assert await read_customers() == before
