"""What guests are told of their orders, as owners decide it."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.routes import Routes

from comanda_notifications.schemas import OrderMessagesChange, OrderMessagesOut
from comanda_notifications.services import order_notifications

routes = Routes("Messages")


@routes.get("/restaurants/{id}/order-messages", scope="restaurants:read", answers=OrderMessagesOut)
async def get_order_messages(caller: Caller, id: int) -> dict[str, Any]:
    """Show what the store tells guests of their orders, and by which channels; nothing until its owner says so."""
    return await order_notifications.get_order_messages(caller, id)


@routes.put("/restaurants/{id}/order-messages", scope="restaurants:write", answers=OrderMessagesOut)
async def update_order_messages(caller: Caller, id: int, body: OrderMessagesChange) -> dict[str, Any]:
    """Choose what guests are told of their orders, and by which channels; what is left out stays as it is."""
    return await order_notifications.update_order_messages(caller, id, body)
