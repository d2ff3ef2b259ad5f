"""The deposit of a reservation on a bill, in the dashboard."""

from comanda.devkit.testing import line


async def test_deposit_is_put_on_the_bill_of_the_table(guest, pay, dashboard, clock):
    await pay()
    found = await guest.get()
    path = f"/stores/{guest.store.id}/reservations/{found['id']}"
    assert "Deposit paid" in await dashboard.get(f"/stores/{guest.store.id}/reservations?on=2027-03-12")
    shown = await dashboard.get(path)
    assert "Once there is an open check" in shown
    assert f"/prepayments/{found['deposit']['id']}" in shown
    item = await guest.store.item("Menu", 55)
    order = await guest.store.order(line(item), type="on-table", table_number="1")

    assert f'value="{order["id"]}"' in await dashboard.get(path)
    assert await dashboard.post(f"{path}/deposit/apply", {"order_id": order["id"]}) == path

    paid = (await guest.store.get(f"/orders/{order['id']}")).document
    assert (paid["paid_total"], paid["amount_due"]) == (40, 15)
    assert "Deposit on the bill" in await dashboard.get(path)
