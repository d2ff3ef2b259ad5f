"""A customer's data: points are exported; once it is erased reasons go, points stay, and nothing is earned any more."""

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_erased_customer_leaves_points_without_reasons(store, ada, paid_order, check_ledger):
    await ada.adjust(5, "Ada's birthday")
    exported = (await store.get(f"/customers/{ada.id}/export"))["records"]["loyalty"]
    assert [(each["points"], each["balance"], each["note"]) for each in exported] == [
        (20, 20, None),
        (5, 25, "Ada's birthday"),
    ]

    assert (await store.send("DELETE", f"/customers/{ada.id}")).status == 204

    rows = await sql.fetch("SELECT points, note FROM loyalty_entry WHERE owner_id = $1 ORDER BY id", store.owner.id)
    assert [tuple(row) for row in rows] == [(20, None), (5, None)]
    assert (await store.send("GET", f"/loyalty/customers/{ada.id}")).status == 404
    await check_ledger()


async def test_order_of_erased_customer_earns_nothing(store, ada, soup, programme, pay, handle):
    order = await ada.order(line(soup))
    await pay(order)
    assert (await store.send("DELETE", f"/customers/{ada.id}")).status == 204

    await handle(order)

    assert await sql.fetch_value("SELECT count(*) FROM loyalty_entry WHERE owner_id = $1", store.owner.id) == 0
