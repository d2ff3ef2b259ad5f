"""What an owner lets pass when days are closed."""


async def test_open_checks_and_drawers_keep_days_open_by_default(shop):
    found = (await shop.get("/settings/closings")).document

    assert found == {"allows_open_checks": False, "allows_open_drawers": False}


async def test_owner_allows_both(shop):
    reply = await shop.send("PUT", "/settings/closings", {"allows_open_checks": True, "allows_open_drawers": True})

    assert reply.document == {"allows_open_checks": True, "allows_open_drawers": True}
