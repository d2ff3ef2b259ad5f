"""Validation of the documentation tools."""

import pytest


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("search_docs", {}, "query"),
        ("search_docs", {"query": ""}, "query"),
        ("search_docs", {"query": "x" * 301}, "query"),
        ("search_docs", {"query": "orders", "limit": 21}, "limit"),
        ("fetch_full_doc", {"id": 7}, "id"),
        ("fetch_full_doc", {"path": "orders"}, "path"),
        ("learn_platform", {"topic": ["x"]}, "topic"),
        ("get_liquid_reference", {"kind": "macro"}, "kind"),
    ],
)
async def test_invalid_arguments_are_refused_by_name(agent, name, arguments, field):
    refused = await agent.refused(name, arguments)

    assert refused["code"] == "validation_failed"
    assert field in refused["errors"]
