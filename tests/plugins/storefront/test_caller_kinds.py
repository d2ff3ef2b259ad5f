"""The caller kind of storefront tokens."""

PATH = "/storefront-tokens"


async def test_storefront_token_opens_no_owner_route(store, client, create_token):
    made = await create_token(store, scopes=["menu:read", "order:write", "agent"])

    for headers in ({"X-Storefront-Token": made["token"]}, {"Authorization": f"Bearer {made['token']}"}):
        for path in (f"/restaurants/{store.id}/menu", f"/restaurants/{store.id}{PATH}", "/me"):
            assert (await client.get(f"/api/v1{path}", headers=headers)).status_code == 401
