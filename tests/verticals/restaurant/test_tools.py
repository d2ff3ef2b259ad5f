"""MCP tools of restaurants."""

import pytest
from comanda.devkit.testing import McpClient
from comanda_restaurant.services.starter_menus import MENUS

from .conftest import list_items


@pytest.fixture
def agent(client):
    return McpClient(client, "/mcp/catalog")


async def test_agents_get_overview_and_full_menu(agent):
    overview = (await agent.call("list_starter_menus"))["menus"]
    (pizzeria,) = (await agent.call("list_starter_menus", {"preset": "pizzeria"}))["menus"]

    assert [menu["preset"] for menu in overview] == ["cafe", "pizzeria", "burger", "bakery", "lounge"]
    assert all(category["items"] == [] for menu in overview for category in menu["categories"])
    assert [menu["items_count"] for menu in overview] == [menu.items_count for menu in MENUS.values()]
    assert len(list_items(pizzeria["categories"])) == pizzeria["items_count"] == overview[1]["items_count"]
    margherita = next(item for item in list_items(pizzeria["categories"]) if item["name"] == "Margherita")
    assert (margherita["price"], margherita["is_halal"], margherita["calories"]) == (9.0, True, 780)
    assert [each["price"] for each in margherita["variations"]] == [9.0, 13.0]
    assert [group["name"] for group in margherita["extra_groups"]] == ["Dough", "Extra toppings"]


async def test_unknown_preset_lists_the_presets(agent):
    refused = await agent.refused("list_starter_menus", {"preset": "sushi"})

    assert list(refused["errors"]) == ["preset"]
    assert "pizzeria" in refused["errors"]["preset"][0]
