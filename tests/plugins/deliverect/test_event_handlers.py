from comanda.basics import clock
from comanda.contracts import StoredEvent
from comanda_deliverect.event_handlers import wake_orders


async def test_status_of_an_order_wakes_its_report(store, soup_order):
    order_id = (await store.receive(soup_order))["order_id"]
    await store.set_status(order_id, "preparing")

    await wake_orders(
        [StoredEvent(1, store.owner.id, store.id, "order.status_changed", {"order_id": order_id}, clock.now())]
    )
    await store.work(soup_order)

    assert store.fake.list_statuses(soup_order["_id"]) == [20, 50]
