"""Messages of a store and the channels that carry them."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_notifications.records import ChannelState, LoggedMessage
from comanda_notifications.schemas import MessageQuery
from comanda_notifications.services import message_log

routes = Routes("Messages")


@routes.get("/restaurants/{id}/messages", scope="orders:read", is_delegable=False)
async def list_messages(caller: Caller, id: int, query: MessageQuery, page: PageRequest) -> RecordPage[LoggedMessage]:
    """List the messages that a store has sent or is sending, newest first, 30 per page; apps cannot read them."""
    return await message_log.list_messages(caller, id, query, page)


@routes.get("/restaurants/{id}/message-channels", scope="restaurants:read")
async def list_channels(caller: Caller, id: int) -> list[ChannelState]:
    """List the channels of messages, and whether each can be used."""
    return await message_log.list_channels(caller, id)
