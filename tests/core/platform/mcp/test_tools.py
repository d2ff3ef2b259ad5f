"""What agents are told of tools, and what a call answers."""

import pytest


async def test_tools_are_listed_in_the_order_of_their_declaration(agent):
    assert list(await agent.tools()) == [
        "greet", "get_menu", "rename", "delete", "find_store", "haggle", "half", "explode", "lose_database", "whisper",
    ]  # fmt: skip


async def test_tool_is_served_on_its_servers(stranger):
    assert list(await stranger.tools()) == ["greet", "whisper"]


@pytest.mark.parametrize(
    ("name", "reads", "destroys", "repeats"),
    [("get_menu", True, False, True), ("rename", False, False, True), ("delete", False, True, False)],
)
async def test_hints_describe_tool(agent, name, reads, destroys, repeats):
    tool = (await agent.tools())[name]

    assert tool["title"] == name.title()
    assert tool["annotations"] == {
        "title": name.title(),
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": repeats,
        "openWorldHint": False,
    }


@pytest.mark.parametrize(
    ("scopes", "visible"),
    [
        (["menu:write"], {"get_menu", "rename", "delete"}),
        (["menu:read"], {"get_menu"}),
        (["read"], {"get_menu", "find_store"}),
        (["write"], {"get_menu", "rename", "delete", "find_store"}),
        (["orders:write"], set()),
        (["restaurants:read"], {"find_store"}),
    ],
)
async def test_forbidden_tools_are_hidden_and_rejected(agent_with, calls, scopes, visible):
    agent = await agent_with(*scopes)
    needed = {"get_menu": "read", "rename": "write", "delete": "menu:write", "find_store": "restaurants:read"}

    assert (await agent.tools()).keys() & needed.keys() == visible
    for name in needed.keys() - visible:
        error = await agent.error(name, {"anything": 1})
        assert error["code"] == -32003
        assert error["data"] == {"code": "forbidden", "required": needed[name]}
    assert calls == []
