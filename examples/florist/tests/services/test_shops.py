"""Settings and delivery days of shops."""


async def test_days_show_capacity_only_to_owners(shop, client):
    await shop.decide(deliveries_per_day=1)
    await shop.gift()

    mine = (await shop.get("/florist/days?first=2030-01-11&count=3"))["days"]
    public = await (await client.get(f"/api/v1/menu/{shop.id}/florist/days?first=2030-01-11&count=3")).get_json()

    assert mine == [
        {"day": "2030-01-11", "is_free": False, "capacity": 1, "taken": 1},
        {"day": "2030-01-12", "is_free": True, "capacity": 1, "taken": 0},
        {"day": "2030-01-13", "is_free": False, "capacity": 1, "taken": 0},
    ]
    assert public["timezone"] == "Europe/Lisbon"
    assert public["days"] == [{"day": each["day"], "is_free": each["is_free"]} for each in mine]


async def test_days_end_with_the_calendar(shop):
    assert [each["day"] for each in (await shop.get("/florist/days?first=9999-12-30"))["days"]] == [
        "9999-12-30",
        "9999-12-31",
    ]


async def test_omitted_settings_are_kept_and_null_removes_limit(shop):
    await shop.decide(deliveries_per_day=1, days_ahead=10)
    await shop.decide(deliveries_per_day=None)

    assert (await shop.get("/florist/settings")).document == {
        "deliveries_per_day": None, "days_ahead": 10, "remembers_gifts": False, "remind_days_before": 7,
    }  # fmt: skip
    assert [(await shop.gift()).status for _ in range(2)] == [201, 201]
