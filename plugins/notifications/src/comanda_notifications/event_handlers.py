"""Handlers of the events that owners and guests are notified of."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import Event, StoredEvent
from comanda.orders import OrderCreated, OrderPaid, OrderStatusChanged

from comanda_notifications.services import endpoint_notifications, order_notifications

# By name, since the plugins webhooks and drivers may not be installed.
ENDPOINT_EVENTS: Final = (endpoint_notifications.FAILING_EVENT, endpoint_notifications.DISABLED_EVENT)
ORDER_EVENTS: Final[tuple[type[Event], ...]] = (OrderCreated, OrderPaid, OrderStatusChanged)
DELIVERY_EVENTS: Final = tuple(order_notifications.DELIVERY_EVENTS)


async def notify_owners(events: Sequence[StoredEvent]) -> None:
    """Notify owners of failing and disabled webhook endpoints."""
    await endpoint_notifications.notify_owners(events)


async def notify_guests(events: Sequence[StoredEvent]) -> None:
    """Notify guests of the progress of their orders."""
    await order_notifications.notify_guests(events)
