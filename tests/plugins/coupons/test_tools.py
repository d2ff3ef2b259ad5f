"""MCP tools with which owners' agents manage coupons."""

import pytest


@pytest.fixture
def agent(mcp, owner):
    return mcp("/mcp", owner.auth)


async def test_agent_manages_coupons(shop, agent):
    coupon = await agent.call("create_coupon", {"code": "spring", "type": "percentage", "value": 15, "usage_limit": 5})
    assert coupon["restaurant_id"] == shop.id
    assert (coupon["coupon"]["code"], coupon["coupon"]["value"], coupon["coupon"]["status"]) == ("SPRING", 15, "active")
    fixed = await agent.call("create_coupon", {"code": "FIVE", "type": "fixed", "value": 5, "restaurant_id": shop.id})

    listed = await agent.call("list_coupons", {})
    assert [coupon["code"] for coupon in listed["data"]] == ["FIVE", "SPRING"]
    assert (listed["restaurant_id"], listed["total"], listed["last_page"]) == (shop.id, 2, 1)
    assert (await agent.call("list_coupons", {"search": "spr"}))["data"] == [coupon["coupon"]]

    coupon_id = coupon["coupon"]["id"]
    changed = await agent.call("update_coupon", {"coupon_id": coupon_id, "value": 20, "clear": ["usage_limit"]})
    assert (changed["coupon"]["value"], changed["coupon"]["usage_limit"]) == (20, None)

    gone = await agent.call("delete_coupon", {"coupon_id": fixed["coupon"]["id"]})
    assert gone == {"id": fixed["coupon"]["id"], "is_deleted": True}
    assert (await shop.get("/coupons"))["data"] == [changed["coupon"]]


async def test_refusals_name_field_and_change_nothing(shop, agent):
    coupon = await shop.coupon(usage_limit=3)
    nothing = {"coupon_id": coupon["id"]}

    assert "code" in (await agent.refused("create_coupon", {"code": "ten", "type": "fixed", "value": 1}))["errors"]
    assert (
        "value" in (await agent.refused("create_coupon", {"code": "X-1", "type": "percentage", "value": 101}))["errors"]
    )
    assert "coupon_id" in (await agent.refused("update_coupon", nothing))["errors"]
    both = {**nothing, "usage_limit": 5, "clear": ["usage_limit"]}
    assert "clear" in (await agent.refused("update_coupon", both))["errors"]
    assert (await agent.refused("delete_coupon", {"coupon_id": 987654321}))["code"] == "not_found"
    assert (await shop.get("/coupons"))["data"] == [coupon]


async def test_agent_of_several_stores_must_name_one(shop, agent, open_store):
    other = await open_store("restaurant")

    refused = await agent.refused("list_coupons", {})

    assert list(refused["errors"]) == ["restaurant_id"]
    assert {choice["id"] for choice in refused["choices"]} == {shop.id, other.id}
    assert (await agent.call("list_coupons", {"restaurant_id": other.id}))["total"] == 0


async def test_tools_require_scopes_of_orders(shop, mcp, owner):
    reader = mcp("/mcp", await owner.token_with("orders:read"))
    stranger = mcp("/mcp", await owner.token_with("menu:read"))

    names = {"list_coupons", "create_coupon", "update_coupon", "delete_coupon"}
    assert set(await reader.tools()) & names == {"list_coupons"}
    assert not set(await stranger.tools()) & names
