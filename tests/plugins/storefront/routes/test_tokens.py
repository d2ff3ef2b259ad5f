"""The routes of storefront tokens."""

PATH = "/storefront-tokens"


async def test_list_shows_live_tokens_without_secrets(store, create_token):
    first, second, gone = [await create_token(store, name) for name in ("one", "two", "gone")]
    await store.send("DELETE", f"{PATH}/{gone['id']}")

    page = await store.get(PATH)

    assert (page["total"], page["per_page"]) == (2, 20)
    assert page["data"] == [{key: one[key] for key in one if key != "token"} for one in (second, first)]


async def test_list_shows_last_use(store, clock, find_token, create_token):
    made = await create_token(store)
    await find_token(made["token"])

    assert (await store.get(PATH))["data"][0]["last_used_at"] == clock().isoformat()


async def test_token_of_other_kind_or_store_returns_404(store, owner, client, find_token, create_token):
    other = type(store)(client, owner, await owner.store())
    elsewhere = await create_token(other)

    for token_id in (owner.token_id, elsewhere["id"]):
        assert (await store.send("DELETE", f"{PATH}/{token_id}")).status == 404
        assert (await store.send("POST", f"{PATH}/{token_id}/rotate")).status == 404

    assert (await store.get(PATH))["total"] == 0
    assert await find_token(elsewhere["token"]) is not None
    assert (await store.get("")).status == 200
