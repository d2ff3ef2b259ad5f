"""The handler of orders' events."""

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_handler_counts_orders_once(shop):
    await shop.order(line(shop.soup))

    await shop.count_orders()
    await shop.count_orders()

    counted = await sql.fetch_value("SELECT count(*) FROM closings_order WHERE store_id = $1", shop.id)
    assert counted == 1
    assert (await shop.figures())["orders"] == 1
