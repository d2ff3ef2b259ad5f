"""Sales at the stall."""


async def test_sale_at_the_stall_needs_no_day(shop, promises):
    order = await shop.order({"item_id": shop.bouquet["id"]}, type="at_the_stall")

    assert "delivery_day" not in order
    assert await shop.taken() == {}
    assert await promises() == []
