"""Tools for stores."""

WEEK = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}


async def test_stores_are_listed_as_over_rest(agent, store, new_store):
    other = await new_store("retail")

    page = await agent.call("list_restaurants")

    assert page == (await store.send_to("/api/v1/restaurants")).document
    assert [each["id"] for each in page["data"]] == [other.id, store.id]
    assert (await agent.call("list_restaurants", {"page": 2}))["data"] == []


async def test_several_stores_require_a_choice(agent, store, new_store):
    other = await new_store(title="Second")

    refused = await agent.refused("get_menu")

    assert (refused["code"], list(refused["errors"])) == ("validation_failed", ["restaurant_id"])
    assert [each["id"] for each in refused["choices"]] == [store.id, other.id]
    assert refused["choices"][1]["title"] == "Second"
    assert (await agent.call("get_menu", {"restaurant_id": other.id}))["restaurant_id"] == other.id


async def test_owner_without_store_has_no_choices(agents, other_owner):
    refused = await agents.admin(other_owner.auth).refused("list_orders")

    assert (list(refused["errors"]), refused["choices"]) == (["restaurant_id"], [])


async def test_settings_equal_rest(agent, store):
    assert await agent.call("get_restaurant_settings") == {
        "restaurant_id": store.id,
        **(await store.get("/settings")).document,
    }


async def test_hours_of_a_week_or_a_day_are_updated(agent, store):
    noon, night = {"open": "12:00", "close": "15:00"}, {"open": "18:00", "close": "02:00"}

    whole = await agent.call("update_business_hours", {**WEEK, "friday": [night, noon], "exceptions": []})
    day = await agent.call("update_business_hours", {"monday": [noon]})

    assert whole["hours"] == {**WEEK, "friday": [noon, night], "exceptions": []}
    assert day["hours"] == {**whole["hours"], "monday": [noon]}
    assert (await store.get("/settings"))["hours"] == day["hours"]
