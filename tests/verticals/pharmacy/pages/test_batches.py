"""Batches in the dashboard."""

from comanda.devkit.testing import line


async def test_goods_are_received_and_counted(pharmacy, tablets, dashboard):
    path = f"/stores/{pharmacy.id}/batches"
    assert "No batches" in await dashboard.get(path)
    body = {"_item": str(tablets["id"]), "number": "L-7", "best_before": "2031-01-01", "quantity": "5"}

    refused = await dashboard.post(f"{path}/new", {**body, "quantity": "0"}, status=422)
    assert await dashboard.post(f"{path}/new", body) == f"{path}/new"
    (batch,) = (await pharmacy.get("/batches"))["data"]
    one = f"{path}/{batch['id']}"
    assert await dashboard.post(one, {"quantity": "4", "best_before": "2031-02-01"}) == one

    assert 'aria-invalid="true"' in refused
    assert "L-7" in await dashboard.get(path)
    assert await pharmacy.get_stock(tablets) == 4


async def test_scanned_code_finds_the_variation(pharmacy, dashboard):
    item = await pharmacy.item("Drops", is_sold_by_batch=True)
    made = {"name": "Small", "price": 5, "stock": 2, "barcode": "5601234567890"}
    small = await pharmacy.send("POST", f"/menu/items/{item['id']}/variants", made)
    path = f"/stores/{pharmacy.id}/batches/new"

    found = await dashboard.get(f"{path}?search=05601234567890")
    body = {"_item": f"{item['id']}:{small['id']}", "number": "S", "best_before": "2031-01-01", "quantity": "2"}
    await dashboard.post(path, {**body, "is_in_stock": "true"})

    assert "Drops, Small (2 without a batch)" in found
    assert "No items sold by batch" in await dashboard.get(f"{path}?search=0000")
    (batch,) = (await pharmacy.get("/batches"))["data"]
    assert (batch["variation_id"], batch["quantity"]) == (small["id"], 2)


async def test_recall_shows_orders_and_sends_a_table(pharmacy, tablets, dashboard):
    batch = await pharmacy.receive(tablets, "A", "2031-01-01", 5)
    order = await pharmacy.order(line(tablets), type="in_store", customer_name="Rui Costa")
    path = f"/stores/{pharmacy.id}/batches/{batch['id']}"

    page, table = await dashboard.get(path), await dashboard.get(f"{path}/orders.csv")

    assert "Rui Costa" in page
    assert f"/orders/{order['id']}" in page
    assert "Rui Costa" in table
    await dashboard.get(f"/stores/{pharmacy.id}/batches/999999999", status=404)
