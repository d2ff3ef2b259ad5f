"""The Liquid reference of agents."""

from comanda_themes.services.liquid import reference


async def test_reference_is_filtered_by_kind_and_name(agent):
    whole = await agent.call("get_liquid_reference")
    filters = await agent.call("get_liquid_reference", {"kind": "filter"})
    money = await agent.call("get_liquid_reference", {"name": "money"})

    assert len(whole["tags"]) == len(reference.load_tags())
    assert (filters["tags"], filters["objects"]) == ([], [])
    assert filters["filters"] == whole["filters"]
    assert [entry["name"] for entry in money["filters"]] == ["money"]
    assert (money["tags"], money["objects"]) == ([], [])


async def test_unknown_name_is_not_found(agent):
    assert (await agent.refused("get_liquid_reference", {"name": "include"}))["code"] == "not_found"
    assert (await agent.refused("get_section_schema", {"section": "../hero"}))["code"] == "not_found"
