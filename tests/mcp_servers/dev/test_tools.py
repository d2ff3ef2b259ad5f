"""The tools for developers."""


async def test_specified_tools_exist_and_are_read_only(agent):
    tools = await agent.tools()

    assert set(tools) == {
        "learn_platform", "search_docs", "fetch_full_doc", "get_liquid_reference", "get_section_schema",
        "validate_theme", "list_webhook_events",
    }  # fmt: skip
    assert {tool["annotations"]["readOnlyHint"] for tool in tools.values()} == {True}
