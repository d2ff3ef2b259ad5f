"""Mails that owners get: about webhook endpoints in trouble."""

from collections.abc import Sequence
from typing import Final

import structlog
from comanda.contracts.events import StoredEvent
from comanda.contracts.messaging import MessageTemplate
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed

from comanda_notifications import api, messages

log = structlog.get_logger(__name__)

OWNERS = "SELECT id, email, name FROM core_owner WHERE id = ANY($1::bigint[])"

# By their names, as the plugin that announces them may not be installed.
FAILING: Final = "webhook_endpoint.failing"
DISABLED: Final = "webhook_endpoint.disabled"
EVENTS: Final = (FAILING, DISABLED)


async def tell(events: Sequence[StoredEvent]) -> None:
    """Write to the owners of webhook endpoints that fail or were disabled; a repeated event writes nothing twice."""
    owners = {row["id"]: row for row in await sql.fetch(OWNERS, [event.owner_id for event in events])}
    for event in events:
        if owner := owners.get(event.owner_id):
            await _write(event, owner)


def _template(event: StoredEvent) -> MessageTemplate:
    if event.name == FAILING:
        return messages.FAILING
    return messages.GONE if event.data.get("reason") == "gone" else messages.DISABLED


async def _write(event: StoredEvent, owner: sql.Row) -> None:
    template = _template(event)
    try:
        await api.send_template(
            template.name,
            to=owner["email"],
            channel="email",
            values={field: {**event.data, "name": owner["name"]}.get(field, "") for field in template.fields},
            owner_id=owner["id"],
            purpose=event.name,
            once=f"event:{event.id}",
        )
    except (RateLimited, ValidationFailed) as error:
        log.warning("owner_not_told", owner_id=owner["id"], event_name=event.name, error=str(error))
