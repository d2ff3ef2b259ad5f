"""What events are about: orders whose status may have changed, and stores whose menu may have."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import Event, Status, StoredEvent
from comanda.menu import MenuUpdated
from comanda.orders import OrderCreated, OrderStatusChanged

# Orders take stock, and give it back when they are cancelled.
MENU_EVENTS: Final[tuple[type[Event], ...]] = (MenuUpdated, OrderCreated, OrderStatusChanged)


def list_orders(events: Sequence[StoredEvent]) -> list[tuple[int, int]]:
    """Return the orders of events, as owners and ids."""
    return sorted({(event.owner_id, int(str(event.data["order_id"]))) for event in events})


def list_stores(events: Sequence[StoredEvent]) -> list[tuple[int, int]]:
    """Return the stores in which an event may have changed what can be ordered, as owners and ids."""
    return sorted(
        {(event.owner_id, event.store_id) for event in events if event.store_id is not None and _changes_menu(event)}
    )


def _changes_menu(event: StoredEvent) -> bool:
    return event.name != OrderStatusChanged.name or Status.CANCELLED in (event.data.get("from"), event.data.get("to"))
