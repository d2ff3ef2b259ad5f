"""Fields of item capabilities."""


async def test_items_have_capability_fields(agent):
    found = await agent.call("get_liquid_reference", {"name": "item", "kind": "object"})

    names = [one["name"] for one in found["objects"][0]["properties"]]
    assert {"price", "is_vegan", "calories"} < set(names)
    assert len(set(names)) == len(names)
