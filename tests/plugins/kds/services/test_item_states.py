"""The order status that follows from item states."""


async def test_served_takeaway_stays_ready_until_handed_over(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)
    for _ in range(3):
        await cook.bump(order.lines[0])

    assert await kitchen.get_status(order) == "ready"
    assert await kitchen.list_kds_statuses(order) == ["served"]
    assert await cook.get_board() == []
