"""Validation of order tools."""

INVALID_FILTERS = [
    ({"from": "2026-03-02", "to": "2026-03-01"}, "from"),
    ({"from": "2025-03-01", "to": "2026-03-02"}, "to"),
    ({"from": "yesterday"}, "from"),
    ({"to": 20260301}, "to"),
    ({"status": "eaten"}, "status"),
    ({"page": 0}, "page"),
    ({"search": "x" * 101}, "search"),
]


async def test_invalid_filter_is_refused_by_name(agent, store, subtests):
    for arguments, field in INVALID_FILTERS:
        with subtests.test(arguments=arguments, field=field):
            refused = await agent.refused("list_orders", arguments)

            assert (refused["code"], list(refused["errors"])) == ("validation_failed", [field])
