from comanda.platform.db import sql
from comanda_deliverect.tasks import prune_orders


async def test_old_orders_are_forgotten_and_undecided_ones_lose_their_document(store, soup_order):
    await store.receive(soup_order)
    undecided = store.add_order()
    await store.post(undecided)
    await sql.execute(
        "UPDATE deliverect_order SET created_at = now() - interval '100 days' WHERE store_id = $1 AND state = 'placed'",
        store.id,
    )
    await sql.execute(
        "UPDATE deliverect_order SET created_at = now() - interval '2 days' WHERE store_id = $1 AND state = 'waiting'",
        store.id,
    )

    await prune_orders()

    assert await store.find(soup_order) is None
    assert (await store.find(undecided))["state"] == "rejected"
    assert await sql.fetch_value("SELECT document FROM deliverect_order WHERE store_id = $1", store.id) is None
    assert await store.count_orders() == 1
