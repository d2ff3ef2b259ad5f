"""MCP tools of flower shops."""


async def test_agents_get_bouquets_in_season(shop, admin, anyone):
    await shop.item("Roses", 20)
    winter = {"shop": (await shop.get())["title"], "currency": "EUR", "month": 1}

    for agent in (admin, anyone):
        now = await agent.call("seasonal_flowers", {"restaurant_id": shop.id})
        assert {name: now[name] for name in winter} == winter
        assert [each["name"] for each in now["flowers"]] == ["Roses"]
        june = await agent.call("seasonal_flowers", {"restaurant_id": shop.id, "month": 6})
        assert {(each["name"], each["stem_count"]) for each in june["flowers"]} == {("Peonies", 7), ("Roses", None)}


async def test_agents_only_see_own_or_listed_shops(shop, foreign_shop, admin, anyone):
    await shop.send("PUT", "/settings", {"is_listed": False})

    assert (await admin.refused("seasonal_flowers", {"restaurant_id": foreign_shop.id}))["code"] == "not_found"
    assert (await anyone.refused("seasonal_flowers", {"restaurant_id": shop.id}))["code"] == "not_found"
    assert (await anyone.refused("seasonal_flowers", {"restaurant_id": 0}))["code"] == "validation_failed"
    assert (await admin.refused("list_flower_occasions", {"restaurant_id": foreign_shop.id}))["code"] == "not_found"


async def test_occasions_require_the_customers_scope(shop, owner, token_agent, admin, anyone):
    made = await shop.occasion()

    found = await admin.call("list_flower_occasions", {"restaurant_id": shop.id})

    assert [each["id"] for each in found["occasions"]] == [made["id"]]
    assert "list_flower_occasions" not in await anyone.tools()
    assert "list_flower_occasions" not in await token_agent(await owner.token_with("menu:read")).tools()
