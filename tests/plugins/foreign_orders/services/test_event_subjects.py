import pytest
from comanda.basics import clock
from comanda.contracts import StoredEvent
from comanda_foreign_orders.api import list_orders, list_stores


def create_event(name="menu.updated", store_id=7, **data):
    return StoredEvent(1, 3, store_id, name, data, clock.now())


def test_order_of_several_events_is_listed_once():
    events = [create_event("order.status_changed", order_id=each) for each in (9, 8, 9)]

    assert list_orders(events) == [(3, 8), (3, 9)]


@pytest.mark.parametrize(("event", "stores"), [
    (create_event(), [(3, 7)]),
    (create_event(store_id=None), []),
    (create_event("order.created", order_id=1), [(3, 7)]),
    (create_event("order.status_changed", **{"from": "new", "to": "preparing"}), []),
    (create_event("order.status_changed", **{"from": "new", "to": "cancelled"}), [(3, 7)]),
    (create_event("order.status_changed", **{"from": "cancelled", "to": "new"}), [(3, 7)]),
])  # fmt: skip
def test_stores_whose_menu_may_have_changed(event, stores):
    assert list_stores([event, event]) == stores
