"""What an owner's agent does with stores, and how a call says which one it is about."""

import pytest

WEEK = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}


async def test_stores_are_listed_as_over_rest(agent, store, new_store):
    other = await new_store("retail")

    page = await agent.call("list_restaurants")

    assert page == (await store.send_to("/api/v1/restaurants")).document
    assert [each["id"] for each in page["data"]] == [other.id, store.id]
    assert (await agent.call("list_restaurants", {"page": 2}))["data"] == []


async def test_with_several_stores_a_call_must_name_one_of_the_choices(agent, store, new_store):
    other = await new_store(title="Second")

    refused = await agent.refused("get_menu")

    assert (refused["code"], list(refused["errors"])) == ("validation_failed", ["restaurant_id"])
    assert [each["id"] for each in refused["choices"]] == [store.id, other.id]
    assert refused["choices"][1]["title"] == "Second"
    assert (await agent.call("get_menu", {"restaurant_id": other.id}))["restaurant_id"] == other.id


async def test_without_a_store_there_are_no_choices(agents, other_owner):
    refused = await agents.admin(other_owner.auth).refused("list_orders")

    assert (list(refused["errors"]), refused["choices"]) == (["restaurant_id"], [])


async def test_settings_are_those_of_rest(agent, store):
    assert await agent.call("get_restaurant_settings") == {
        "restaurant_id": store.id,
        **(await store.get("/settings")).document,
    }


async def test_a_whole_week_or_one_day_of_hours_is_set(agent, store):
    noon, night = {"open": "12:00", "close": "15:00"}, {"open": "18:00", "close": "02:00"}

    whole = await agent.call("update_business_hours", {**WEEK, "friday": [night, noon], "exceptions": []})
    day = await agent.call("update_business_hours", {"monday": [noon]})

    assert whole["hours"] == {**WEEK, "friday": [noon, night], "exceptions": []}
    assert day["hours"] == {**whole["hours"], "monday": [noon]}
    assert (await store.get("/settings"))["hours"] == day["hours"]


@pytest.mark.parametrize(
    "hours",
    [
        {},
        {"monday": None},
        {"monday": [{"open": "9:00", "close": "12:00"}]},
        {"monday": [{"open": "09:00", "close": "12:00"}, {"open": "11:00", "close": "13:00"}]},
        {"monday": "closed"},
        {"exceptions": [{"date": "2026-02-30"}]},
        {"montag": []},
    ],
)
async def test_hours_that_are_wrong_change_nothing(agent, store, hours):
    refused = await agent.refused("update_business_hours", hours)

    assert refused["code"] == "validation_failed"
    assert (await store.get("/settings"))["hours"] is None


async def test_a_token_with_one_scope_sees_the_tools_of_it(agents, owner, store):
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


async def test_reading_is_marked_as_such_and_deleting_as_destructive(agent):
    """Plugins add tools of their own, whose names say as much."""
    hints = {name: tool["annotations"] for name, tool in (await agent.tools()).items()}

    for name, hint in hints.items():
        verb = name.partition("_")[0]
        assert hint["destructiveHint"] == (verb == "delete"), name
        assert not hint["readOnlyHint"] or verb not in {"add", "create", "update", "delete", "set"}, name
    assert {name for name, hint in hints.items() if hint["readOnlyHint"]} >= {
        "list_restaurants", "get_menu", "list_categories", "list_orders", "get_order", "get_restaurant_settings",
    }  # fmt: skip
