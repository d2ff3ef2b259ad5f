"""Endpoints that belong to other plugins: receivers of an owner's events that the owner did not register.

A plugin refers to its endpoint of an owner by a ``reference`` of its own, such as the id of an installation. Endpoints
share everything else with those of owners: signatures, retries, checks of targets, and the queue.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from comanda.basics import ValidationFailed, clock, require_found, to_json
from comanda.platform.db import sql
from comanda.platform.http_client import ForbiddenTarget
from orjson import Fragment

from comanda_webhooks import settings
from comanda_webhooks.models import Endpoint
from comanda_webhooks.records import NewPluginEndpoint, PluginEvent
from comanda_webhooks.services import delivery_queue, endpoints, event_catalog, event_patterns
from comanda_webhooks.services.delivery_queue import NewDelivery
from comanda_webhooks.services.endpoints import RESUME_DELIVERIES
from comanda_webhooks.services.signatures import generate_message_id
from comanda_webhooks.services.signing_secrets import OldSecret, encrypt_old_secrets, encrypt_secret

# A delivery that is being sent cannot be recalled; its result is then written by nobody.
SUPERSEDE_PENDING_DELIVERIES: Final = """
    UPDATE webhooks_delivery
    SET status = 'superseded', finished_at = $3::timestamptz, next_attempt_at = NULL, leased_until = NULL
    WHERE endpoint_id = $1 AND owner_id = $2 AND status = 'pending'
"""
SELECT_DELIVERY_OF_MESSAGE: Final = (
    "SELECT 1 FROM webhooks_delivery WHERE endpoint_id = $1 AND owner_id = $2 AND event = $3 LIMIT 1"
)
RESUMED: Final[Mapping[str, Any]] = {
    "is_paused": False, "disabled_reason": None, "failure_count": 0, "failing_since": None, "warned_at": None,
}  # fmt: skip


async def check_url(url: str) -> str:
    """Return a receiver's normalized URL. Raises ``ValidationFailed`` on ``url`` for one that is not public HTTPS."""
    try:
        return await endpoints.get_receiver(settings.get_allowed_targets()).validate_url(url)
    except ForbiddenTarget as error:
        raise ValidationFailed(url=[str(error)]) from error


def check_events(patterns: Sequence[str]) -> list[str]:
    """Return event names and patterns without repeats. Raises ``ValidationFailed`` on ``events`` for unknown ones."""
    try:
        return list(event_patterns.normalize_patterns(patterns, event_catalog.get_subscribable_events()))
    except event_patterns.InvalidPatterns as error:
        raise ValidationFailed(events=list(error.messages)) from error


@sql.transaction()
async def create_plugin_endpoint(owner_id: int, new: NewPluginEndpoint) -> None:
    """Create an endpoint for an owner's events, in the open transaction; one that exists stays as it is."""
    await endpoints.lock_owner(owner_id)
    if await _find(owner_id, new.plugin, new.reference) is not None:
        return
    endpoint = await Endpoint.create(
        owner_id=owner_id,
        url=new.url,
        events=list(new.events),
        excluded_events=list(new.excluded_events),
        scopes=sorted(new.scopes),
        secret="",
        plugin=new.plugin,
        reference=new.reference,
        name_key=new.name_key,
        created_at=clock.now(),
    )
    await _save_secrets(endpoint, new.secret, new.old_secrets)


@sql.transaction()
async def update_plugin_endpoint(owner_id: int, changed: NewPluginEndpoint) -> None:
    """Replace the URL, events, scopes and secrets of an endpoint, and resume it if it was disabled.

    Raises ``NotFound``.
    """
    endpoint = await _lock(owner_id, changed.plugin, changed.reference)
    if endpoint.is_paused:
        await sql.execute(RESUME_DELIVERIES, endpoint.id, owner_id, clock.now())
        delivery_queue.notify_senders()
    columns: dict[str, Any] = {"url": changed.url, "scopes": sorted(changed.scopes), **RESUMED}
    columns |= {"events": list(changed.events), "excluded_events": list(changed.excluded_events)}
    endpoint.update_from_dict(columns)
    await endpoint.save(update_fields=list(columns))
    await _save_secrets(endpoint, changed.secret, changed.old_secrets)


@sql.transaction()
async def send_plugin_event(owner_id: int, plugin: str, reference: int, event: PluginEvent) -> None:
    """Queue an event for one endpoint, whatever it subscribes to. Repeated, it is queued once. Raises ``NotFound``.

    With ``is_last`` nothing else is sent: it subscribes to no events any more, and what still waits is superseded.
    """
    endpoint = await _lock(owner_id, plugin, reference)
    if await sql.fetch_one(SELECT_DELIVERY_OF_MESSAGE, endpoint.id, owner_id, event.name):
        return
    if event.is_last:
        await sql.execute(SUPERSEDE_PENDING_DELIVERIES, endpoint.id, owner_id, clock.now())
    # Resumed, because this is sent even to a receiver that has failed for long.
    endpoint.update_from_dict({**RESUMED, "events": [] if event.is_last else endpoint.events})
    await endpoint.save(update_fields=[*RESUMED, "events"])
    message_id = generate_message_id()
    data = Fragment(to_json(event.data))
    body = delivery_queue.encode_body(message_id, event.name, event.occurred_at, data, endpoint.name_key)
    await delivery_queue.queue_deliveries([NewDelivery(owner_id, endpoint.id, None, message_id, event.name, body)])


@sql.transaction()
async def delete_plugin_endpoint(owner_id: int, plugin: str, reference: int) -> None:
    """Delete an endpoint with its secrets, if it exists; its log is deleted in the background."""
    endpoint = await _find(owner_id, plugin, reference)
    if endpoint is not None:
        endpoint.update_from_dict({"deleted_at": clock.now(), "url": "", "secret": "", "old_secrets": ""})
        await endpoint.save(update_fields=["deleted_at", "url", "secret", "old_secrets"])


async def _find(owner_id: int, plugin: str, reference: int) -> Endpoint | None:
    owned = Endpoint.filter(owner_id=owner_id, plugin=plugin, reference=reference, deleted_at=None)
    return await owned.select_for_update(no_key=True).first()


async def _lock(owner_id: int, plugin: str, reference: int) -> Endpoint:
    return require_found(await _find(owner_id, plugin, reference))


async def _save_secrets(endpoint: Endpoint, secret: str, old: Collection[OldSecret]) -> None:
    # The row's id is part of the encryption context.
    endpoint.secret = encrypt_secret(secret, endpoint.owner_id, endpoint.id)
    endpoint.old_secrets = encrypt_old_secrets(list(old), endpoint.owner_id, endpoint.id)
    await endpoint.save(update_fields=["secret", "old_secrets"])
