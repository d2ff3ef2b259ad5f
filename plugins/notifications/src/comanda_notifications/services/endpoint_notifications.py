"""E-mails to owners about failing and disabled webhook endpoints."""

from collections.abc import Sequence
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed
from comanda.contracts import MessageTemplate, StoredEvent
from comanda.platform.db import sql

from comanda_notifications import api, message_templates

log = structlog.get_logger(__name__)

SELECT_OWNERS = "SELECT id, email, name FROM core_owner_v1 WHERE id = ANY($1::bigint[])"

# Events of the plugin webhooks, which may not be installed.
FAILING_EVENT: Final = "webhook_endpoint.failing"
DISABLED_EVENT: Final = "webhook_endpoint.disabled"


async def notify_owners(events: Sequence[StoredEvent]) -> None:
    """Notify owners whose webhook endpoints fail or were disabled; a repeated event sends nothing twice."""
    owners = {row["id"]: row for row in await sql.fetch(SELECT_OWNERS, [event.owner_id for event in events])}
    for event in events:
        if owner := owners.get(event.owner_id):
            await _notify_owner(event, owner)


def _choose_template(event: StoredEvent) -> MessageTemplate:
    if event.name == FAILING_EVENT:
        return message_templates.ENDPOINT_FAILING
    return (
        message_templates.ENDPOINT_GONE if event.data.get("reason") == "gone" else message_templates.ENDPOINT_DISABLED
    )


async def _notify_owner(event: StoredEvent, owner: sql.Row) -> None:
    template = _choose_template(event)
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
        log.warning("owner_not_notified", owner_id=owner["id"], event_name=event.name, error=str(error))
