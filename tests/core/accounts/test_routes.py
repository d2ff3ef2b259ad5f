"""The route of the caller's own account."""


async def test_me_returns_account_and_scopes(client, owner, store_id):
    body = await (await client.get("/api/v1/me", headers=owner.auth)).get_json()

    assert (body["id"], body["email"], body["kind"], body["abilities"]) == (owner.id, owner.email, "owner", ["*"])
    assert body["stores_count"] == 1
    assert body["token"]["id"] == owner.token_id
    assert owner.token not in str(body)


async def test_a_scoped_token_sees_its_own_abilities(client, owner):
    body = await (
        await client.get("/api/v1/me", headers=await owner.token_with("menu:read", "orders:write"))
    ).get_json()

    assert body["abilities"] == ["menu:read", "orders:write"]
