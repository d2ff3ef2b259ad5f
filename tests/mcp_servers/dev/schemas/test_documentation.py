"""Validation of the documentation tools."""

INVALID_ARGUMENTS = [
    ("search_docs", {}, "query"),
    ("search_docs", {"query": ""}, "query"),
    ("search_docs", {"query": "x" * 301}, "query"),
    ("search_docs", {"query": "orders", "limit": 21}, "limit"),
    ("fetch_full_doc", {"id": 7}, "id"),
    ("fetch_full_doc", {"path": "orders"}, "path"),
    ("learn_platform", {"topic": ["x"]}, "topic"),
    ("get_liquid_reference", {"kind": "macro"}, "kind"),
]


async def test_invalid_arguments_are_refused_by_name(agent, subtests):
    for name, arguments, field in INVALID_ARGUMENTS:
        with subtests.test(name=name, arguments=arguments, field=field):
            refused = await agent.refused(name, arguments)

            assert refused["code"] == "validation_failed"
            assert field in refused["errors"]
