"""Settings of a kitchen."""


async def test_lateness_follows_the_settings(kitchen, cook, clock):
    reply = await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": 3, "late_minutes": 5})
    assert reply.document == {"soon_minutes": 3, "late_minutes": 5, "lead_minutes": 30}
    await kitchen.place_order(kitchen.soup)
    seen = []
    for _ in range(3):
        seen.append((await cook.get_board())[0]["lateness"])
        clock.advance(minutes=3)

    assert seen == ["on_time", "soon", "late"]


async def test_contradictory_settings_are_refused(kitchen):
    await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": 3, "late_minutes": 5})

    refused = await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": 6})

    assert list(refused.errors) == ["soon_minutes"]
    assert (await kitchen.get("/kitchen-settings")).document["soon_minutes"] == 3
    back = await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": None, "late_minutes": None})
    assert back.document == {"soon_minutes": 10, "late_minutes": 15, "lead_minutes": 30}
