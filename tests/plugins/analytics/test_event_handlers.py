"""The event handler counts the orders of events."""

import pytest
from comanda.basics import clock
from comanda.contracts import EventHandler, StoredEvent
from comanda.devkit.testing import line
from comanda.orders import OrderCreated
from comanda_analytics.event_handlers import update_daily_totals


async def test_order_is_counted_when_events_are_dispatched(shop, dispatch, days, items):
    order_id = await shop.place_order(line(shop.soup, 2))
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 0, 2000, 0)]

    await shop.pay(order_id)
    await shop.set_status(order_id, "ready")
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "ready", 1, 1, 2000, 2000)]

    await shop.refund(order_id, 5)
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "ready", 1, 1, 2000, 1500)]
    assert await items() == {shop.soup["id"]: 2}


async def test_payment_and_refund_are_each_counted(shop, dispatch, days):
    order_id = await shop.place_order(line(shop.soup))
    await dispatch()
    await shop.pay(order_id)
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 1, 1000, 1000)]
    await shop.refund(order_id, 10)
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 1, 1000, 0)]


async def test_event_of_missing_order_is_ignored(shop, days):
    order_id = await shop.place_order(line(shop.soup))

    await shop.handle_events(987_654_321_000, order_id)
    await shop.handle_events(987_654_321_000)

    assert len(await days()) == 1


async def test_event_of_other_owner_counts_nothing(shop, other_owner, days):
    order_id = await shop.place_order(line(shop.soup))

    await update_daily_totals(
        [StoredEvent(1, other_owner.id, shop.id, "order.created", {"order_id": order_id}, clock.now())]
    )

    assert await days() == []


def test_handler_receives_order_and_payment_events(runtime):
    handler = next(one for one in runtime.registry.event_handlers if one.name == "analytics_days")

    heard = [name for name in runtime.registry.events if handler.wants(name)]
    core = ["order.amended", "order.charge_added", "order.created", "order.status_changed"]
    assert sorted(heard) == sorted([*core, "order.paid", "refund.completed"])


@pytest.mark.parametrize(
    ("handler", "heard"),
    [
        (EventHandler("all", print), {"order.created", "order.paid", "menu.updated"}),
        (EventHandler("one", print, (OrderCreated,)), {"order.created"}),
        (EventHandler("named", print, names=("order.paid",)), {"order.paid"}),
        (EventHandler("both", print, (OrderCreated,), ("order.paid",)), {"order.created", "order.paid"}),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_handler_receives_events_by_type_and_name(handler, heard):
    assert {name for name in ("order.created", "order.paid", "menu.updated") if handler.wants(name)} == heard
