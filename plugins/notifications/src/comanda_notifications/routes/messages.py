"""Messages of stores: what was sent, their texts, those about orders, and the limits of SMS."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_notifications.records import (
    ChannelState,
    EditableTemplate,
    GuestMessages,
    LoggedMessage,
    SmsLimits,
    TemplateText,
)
from comanda_notifications.schemas import MessageQuery, OrderMessagesChange, SmsLimitsBody, TextBody
from comanda_notifications.services import message_log, order_notifications, sms_limits, template_overrides

routes = Routes("Messages")
TEXT_PATH = "/restaurants/{id}/message-templates/{name}/{channel}/{language}"


@routes.get("/restaurants/{id}/messages", scope="orders:read", is_delegable=False)
async def list_messages(caller: Caller, id: int, query: MessageQuery, page: PageRequest) -> RecordPage[LoggedMessage]:
    """List the messages that a store has sent or is sending, newest first, 30 per page; apps cannot read them."""
    return await message_log.list_messages(caller, id, query, page)


@routes.get("/restaurants/{id}/message-channels", scope="restaurants:read")
async def list_channels(caller: Caller, id: int) -> list[ChannelState]:
    """List the channels of messages, and whether each can be used."""
    return await message_log.list_channels(caller, id)


@routes.get("/restaurants/{id}/message-templates", scope="restaurants:read")
async def list_message_templates(caller: Caller, id: int, page: PageRequest) -> RecordPage[EditableTemplate]:
    """List the messages that a store sends, 20 per page, with their fields and the current texts in all languages."""
    return await template_overrides.list_templates(caller, id, page)


@routes.put(TEXT_PATH, scope="restaurants:write")
async def update_message_text(
    caller: Caller, id: int, name: str, channel: str, language: str, body: TextBody
) -> TemplateText:
    """Set the store's own text of a message for one channel and language; returns it with a preview."""
    return await template_overrides.update_override(caller, id, name, channel, language, body)


@routes.delete(TEXT_PATH, scope="restaurants:write")
async def delete_message_text(caller: Caller, id: int, name: str, channel: str, language: str) -> None:
    """Delete the store's own text of a message, so that the default text applies again."""
    await template_overrides.delete_override(caller, id, name, channel, language)


@routes.get("/restaurants/{id}/order-messages", scope="restaurants:read")
async def get_order_messages(caller: Caller, id: int) -> GuestMessages:
    """Return which messages the store sends guests about their orders, and by which channels; none by default."""
    return await order_notifications.get_order_messages(caller, id)


@routes.put("/restaurants/{id}/order-messages", scope="restaurants:write")
async def update_order_messages(caller: Caller, id: int, body: OrderMessagesChange) -> GuestMessages:
    """Update which messages guests receive about their orders, and by which channels; fields left out are unchanged."""
    return await order_notifications.update_order_messages(caller, id, body)


@routes.get("/sms-limits", scope="restaurants:read")
async def get_sms_limits(caller: Caller) -> SmsLimits:
    """Return the monthly limit and the quiet hours of your SMS, and how many were sent this month."""
    return await sms_limits.get_limits(caller)


@routes.put("/sms-limits", scope="restaurants:write")
async def update_sms_limits(caller: Caller, body: SmsLimitsBody) -> SmsLimits:
    """Set the monthly limit and the quiet hours of your SMS; what is left out is taken off."""
    return await sms_limits.update_limits(caller, body)
