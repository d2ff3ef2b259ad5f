from comanda.platform.db import sql
from comanda_hubrise.tasks import prune_orders


async def test_only_old_orders_that_are_done_are_deleted(store, soup_order, clock):
    await store.receive(soup_order)
    old, waiting = store.add_order(), store.add_order()
    await store.receive(old)
    await store.call_back(waiting)
    old_id = (await store.find(old))["id"]
    await sql.execute(
        "UPDATE hubrise_order SET created_at = created_at - interval '91 days' WHERE id = $1 OR hubrise_id = $2",
        old_id,
        waiting["id"],
    )

    await prune_orders()

    assert await store.find(old) is None
    assert (await store.find(waiting))["state"] == "waiting"
    assert (await store.find(soup_order))["state"] == "placed"
