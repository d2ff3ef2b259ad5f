"""Messages to guests about their orders, chosen by the owner."""

from comanda.contracts import Caller, Routes

from comanda_notifications.records import GuestMessages
from comanda_notifications.schemas import OrderMessagesChange
from comanda_notifications.services import order_notifications

routes = Routes("Messages")


@routes.get("/restaurants/{id}/order-messages", scope="restaurants:read")
async def get_order_messages(caller: Caller, id: int) -> GuestMessages:
    """Return which messages the store sends guests about their orders, and by which channels; none by default."""
    return await order_notifications.get_order_messages(caller, id)


@routes.put("/restaurants/{id}/order-messages", scope="restaurants:write")
async def update_order_messages(caller: Caller, id: int, body: OrderMessagesChange) -> GuestMessages:
    """Update which messages guests receive about their orders, and by which channels; fields left out are unchanged."""
    return await order_notifications.update_order_messages(caller, id, body)
