"""Which orders have packs of a batch."""

from comanda.devkit.testing import line


async def test_recall_lists_the_orders_of_a_batch(pharmacy, tablets):
    batch = await pharmacy.receive(tablets, "A", "2031-01-01", 5)
    await pharmacy.receive(tablets, "B", "2032-01-01", 5)
    one = await pharmacy.order(
        line(tablets), line(tablets, 2), type="in_store", customer_name="Rui", phone="+351912345678"
    )
    cancelled = await pharmacy.order(line(tablets), type="in_store")
    await pharmacy.set_status(cancelled["id"], "cancelled")
    two = await pharmacy.order(line(tablets, 3), type="in_store", customer_name="=1+1")

    orders = (await pharmacy.get(f"/batches/{batch['id']}/orders"))["data"]
    response = await pharmacy.client.get(
        f"/api/v1/restaurants/{pharmacy.id}/batches/{batch['id']}/orders/export", headers=pharmacy.owner.auth
    )

    assert [(each["order_id"], each["quantity"], each["customer_name"]) for each in orders] == [
        (two["id"], 2, "=1+1"), (one["id"], 3, "Rui"),
    ]  # fmt: skip
    lines = (await response.get_data()).decode("utf-8-sig").splitlines()
    assert lines[0] == "order_id,number,created_at,status,customer_id,customer_name,phone,quantity"
    assert (len(lines), lines[1].startswith(f"{two['id']},")) == (3, True)
    assert ",=1+1," not in lines[1]
