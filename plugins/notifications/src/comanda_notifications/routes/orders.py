"""What guests are told of their orders, as owners decide it."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes

from comanda_notifications import telling_guests
from comanda_notifications.schemas import OrderMessagesChange, OrderMessagesOut

routes = Routes("Messages")


@routes.get("/restaurants/{id}/order-messages", scope="restaurants:read", answers=OrderMessagesOut)
async def show_order_messages(caller: Caller, id: int) -> dict[str, Any]:
    """Show what the store tells guests of their orders, and by which channels; nothing until its owner says so."""
    return await telling_guests.chosen(caller, id)


@routes.put("/restaurants/{id}/order-messages", scope="restaurants:write", answers=OrderMessagesOut)
async def change_order_messages(caller: Caller, id: int, body: OrderMessagesChange) -> dict[str, Any]:
    """Choose what guests are told of their orders, and by which channels; what is left out stays as it is."""
    return await telling_guests.choose(caller, id, body)
