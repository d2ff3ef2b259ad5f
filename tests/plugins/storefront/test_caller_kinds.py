"""The caller kind of storefront tokens."""

PATH = "/storefront-tokens"


async def test_storefront_token_opens_no_owner_route(store, client, create_token):
    made = await create_token(store, scopes=["menu:read", "order:write", "agent"])

    for headers in ({"X-Storefront-Token": made["token"]}, {"Authorization": f"Bearer {made['token']}"}):
        for path in (f"/restaurants/{store.id}/menu", f"/restaurants/{store.id}{PATH}", "/me"):
            assert (await client.get(f"/api/v1{path}", headers=headers)).status_code == 401


async def test_of_two_tokens_the_one_that_the_route_takes_counts(store, owner, client, create_token):
    made = await create_token(store, scopes=["menu:read"])
    both = {"X-Storefront-Token": made["token"], **owner.auth}

    paths = ("/me", f"/restaurants/{store.id}/menu", "/storefront/menu")
    found = [(await client.get(f"/api/v1{path}", headers=both)).status_code for path in paths]
    strays = [
        (await client.get("/api/v1/me", headers={"X-Storefront-Token": stray, **owner.auth})).status_code
        for stray in ("sf_wrong", "nonsense", " ")
    ]
    revoked = await client.get("/api/v1/me", headers={**both, "Authorization": "Bearer om_revoked"})

    assert found == [200, 200, 200]
    assert strays == [200, 200, 200]
    assert revoked.status_code == 401
