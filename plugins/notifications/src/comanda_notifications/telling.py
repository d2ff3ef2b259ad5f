"""Mails that owners get: about webhook endpoints in trouble."""

from collections.abc import Mapping, Sequence
from string import Template
from typing import Final

import structlog
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed
from comanda.events.types import StoredEvent
from comanda.messaging import Message

from comanda_notifications import api

log = structlog.get_logger(__name__)

OWNERS = "SELECT id, email, name FROM core_owner WHERE id = ANY($1::bigint[])"

# By the event's name, as the plugin that announces it may not be installed: subject and text.
MAILS: Final[Mapping[str, tuple[Template, Template]]] = {
    "webhook_endpoint.failing": (
        Template("A webhook endpoint of yours keeps failing"),
        Template(
            "Hello $name,\n\nyour webhook endpoint $endpoint_id ($url) has failed $failure_count times in a row.\n"
            "If it goes on like this, we stop sending to it. Its delivery log tells what it answered.\n\n"
            "Everything that it missed can be sent again once it works.\n"
        ),
    ),
    "webhook_endpoint.disabled": (
        Template("A webhook endpoint of yours was disabled"),
        Template(
            "Hello $name,\n\nwe no longer send to your webhook endpoint $endpoint_id ($url): $why\n"
            "Resume it when it works again; everything that it missed can then be sent again.\n"
        ),
    ),
}
REASONS: Final = {"gone": "it answered 410, which means that it is gone for good."}
FAILED: Final = "it has failed for too long."


async def tell(events: Sequence[StoredEvent]) -> None:
    """Write to the owners of webhook endpoints that fail or were disabled; a repeated event writes nothing twice."""
    mine = [event for event in events if event.name in MAILS]
    if not mine:
        return
    owners = {row["id"]: row for row in await sql.fetch(OWNERS, [event.owner_id for event in mine])}
    for event in mine:
        if owner := owners.get(event.owner_id):
            await _write(event, owner)


async def _write(event: StoredEvent, owner: sql.Row) -> None:
    subject, text = MAILS[event.name]
    facts = {**event.data, "name": owner["name"], "why": REASONS.get(str(event.data.get("reason")), FAILED)}
    message = Message("email", owner["email"], text.safe_substitute(facts), subject.safe_substitute(facts))
    try:
        await api.send(message, owner_id=owner["id"], purpose=event.name, once=f"event:{event.id}")
    except (RateLimited, ValidationFailed) as error:
        log.warning("owner_not_told", owner_id=owner["id"], event_name=event.name, error=str(error))
