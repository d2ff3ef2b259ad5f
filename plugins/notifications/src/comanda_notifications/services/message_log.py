"""The messages of a store as its owner sees them, and the state of the channels."""

from typing import Final

from comanda.contracts import CHANNELS, Caller, OutgoingMessage, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_notifications.models import MessageStatus, SmsDelivery
from comanda_notifications.records import ChannelState, LoggedMessage
from comanda_notifications.schemas import MessageQuery
from comanda_notifications.services.sender import find_transport

PER_PAGE: Final = 30

WHERE_FILTERED: Final = """
    WHERE owner_id = $1 AND store_id = $2 AND ($3::text IS NULL OR status = $3)
        AND ($4::text IS NULL OR channel = $4)
        AND ($5::text IS NULL OR channel <> 'push' AND strpos(lower(address), lower($5)) > 0)
"""
COUNT_MESSAGES: Final = f"SELECT count(*) FROM notifications_message {WHERE_FILTERED}"
# A device's token is a secret of its app, and a code one of the guest.
SELECT_MESSAGES: Final = f"""
    SELECT id, purpose, channel, CASE WHEN channel = 'push' THEN NULL ELSE address END AS address,
        CASE WHEN is_secret THEN NULL ELSE subject END AS subject, CASE WHEN is_secret THEN NULL ELSE text END AS text,
        is_secret, status, attempts, error, next_attempt_at, created_at, finished_at, delivery, delivery_error
    FROM notifications_message {WHERE_FILTERED} ORDER BY created_at DESC, id DESC LIMIT $6 OFFSET $7
"""


async def list_messages(
    caller: Caller, store_id: int, query: MessageQuery, page: PageRequest
) -> RecordPage[LoggedMessage]:
    """List a store's messages, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    status = None if query.status is None else query.status.value
    values = (caller.owner_id, store_id, status, query.channel, query.search or None)
    total = await sql.fetch_value(COUNT_MESSAGES, *values)
    rows = await sql.fetch(SELECT_MESSAGES, *values, page.size(PER_PAGE), page.offset(PER_PAGE))
    found = [_to_logged_message(row) for row in rows]
    return page.of(found, total, PER_PAGE)


def _to_logged_message(row: sql.Row) -> LoggedMessage:
    delivery = None if row["delivery"] is None else SmsDelivery(row["delivery"])
    return LoggedMessage(**{**dict(row), "status": MessageStatus(row["status"]), "delivery": delivery})


async def list_channels(caller: Caller, store_id: int) -> list[ChannelState]:
    """List the channels, and whether the operator has set up a transport for each. Raises ``NotFound``."""
    await require_store(caller, store_id)
    # A browser is the device that all transports of push messages carry.
    found = {
        channel: await find_transport(OutgoingMessage(channel, "", "", platform="web", owner_id=caller.owner_id))
        for channel in CHANNELS
    }
    return [
        ChannelState(channel, transport is not None, None if transport is None else transport.name)
        for channel, transport in found.items()
    ]
