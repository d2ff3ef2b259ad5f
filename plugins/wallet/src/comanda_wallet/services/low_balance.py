"""The e-mail to owners whose balance fell below their threshold."""

from collections.abc import Sequence
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed
from comanda.contracts import StoredEvent
from comanda.platform.db import sql
from comanda_notifications import api as notifications

from comanda_wallet.message_templates import LOW_BALANCE

log = structlog.get_logger(__name__)

SELECT_OWNERS: Final = "SELECT id, email, name FROM core_owner_v1 WHERE id = ANY($1::bigint[])"


async def notify_owners(events: Sequence[StoredEvent]) -> None:
    """Send the message of each event; a repeated event sends nothing twice."""
    owners = {row["id"]: row for row in await sql.fetch(SELECT_OWNERS, [event.owner_id for event in events])}
    for event in events:
        if owner := owners.get(event.owner_id):
            await _send_message(event, owner)


async def _send_message(event: StoredEvent, owner: sql.Row) -> None:
    values = {**event.data, "name": owner["name"]}
    try:
        await notifications.send_template(
            LOW_BALANCE.name,
            to=owner["email"],
            channel="email",
            values={field: values[field] for field in LOW_BALANCE.fields},
            owner_id=owner["id"],
            once=f"{LOW_BALANCE.name}:{event.data['entry_id']}",
        )
    except (RateLimited, ValidationFailed) as error:
        log.warning("owner_not_notified", owner_id=owner["id"], event_name=event.name, error=str(error))
