"""The server for owners."""


async def test_token_only_sees_tools_of_its_scope(agents, owner, store):
    menu = agents.admin(await owner.token_with("menu:write"))
    reporting = agents.admin(await owner.token_with("orders:read"))
    coarse = agents.admin(await owner.token_with("read"))

    tools = await menu.tools()
    assert {"get_menu", "list_categories", "add_menu_item", "update_menu_item", "delete_category"} <= set(tools)
    assert not {"list_restaurants", "list_orders", "update_order_status", "get_restaurant_settings"} & set(tools)
    assert {"list_orders", "get_order"} <= set(await reporting.tools())
    assert not {"get_menu", "update_order_status", "delete_coupon"} & set(await reporting.tools())
    assert {"list_restaurants", "get_menu", "list_orders"} <= set(await coarse.tools())
    assert not {"add_category", "add_menu_item", "update_order_status"} & set(await coarse.tools())
    assert (await menu.call("add_category", {"name": "Soups"}))["name"] == "Soups"


async def test_tools_have_read_only_and_destructive_hints(agent):
    """Plugins add tools of their own, whose names say as much."""
    hints = {name: tool["annotations"] for name, tool in (await agent.tools()).items()}

    for name, hint in hints.items():
        verb = name.partition("_")[0]
        assert hint["destructiveHint"] == (verb == "delete"), name
        assert not hint["readOnlyHint"] or verb not in {"add", "create", "update", "delete", "set"}, name
    assert {name for name, hint in hints.items() if hint["readOnlyHint"]} >= {
        "list_restaurants", "get_menu", "list_categories", "list_orders", "get_order", "get_restaurant_settings",
    }  # fmt: skip
