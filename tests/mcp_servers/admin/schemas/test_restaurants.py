"""Validation of store tools."""

INVALID_HOURS = [
    {},
    {"monday": None},
    {"monday": [{"open": "9:00", "close": "12:00"}]},
    {"monday": [{"open": "09:00", "close": "12:00"}, {"open": "11:00", "close": "13:00"}]},
    {"monday": "closed"},
    {"exceptions": [{"date": "2026-02-30"}]},
    {"montag": []},
]


async def test_invalid_hours_are_refused(agent, store, subtests):
    for hours in INVALID_HOURS:
        with subtests.test(hours=hours):
            refused = await agent.refused("update_business_hours", hours)

            assert refused["code"] == "validation_failed"
            assert (await store.get("/settings"))["hours"] is None
