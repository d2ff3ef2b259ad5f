"""Webhook endpoints: create, update, pause, rotate the secret, delete."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import structlog
from comanda.basics import Conflict, NotFound, ValidationFailed, clock, extend_record, require_found
from comanda.contracts import Caller, PageRequest, RecordPage, scopes
from comanda.platform import get_entitlement, runtime
from comanda.platform.db import sql
from comanda.platform.encryption import DecryptionFailed
from comanda.platform.http_client import AllowedTargets, ForbiddenTarget

from comanda_webhooks import settings
from comanda_webhooks.client import HttpReceiver, Receiver
from comanda_webhooks.entitlements import WEBHOOKS
from comanda_webhooks.models import DisabledReason, Endpoint
from comanda_webhooks.records import IssuedEndpoint, RotatedSecret, WebhookEndpoint
from comanda_webhooks.schemas import EndpointBody, EndpointChange
from comanda_webhooks.services import delivery_queue, event_catalog, event_patterns
from comanda_webhooks.services.signatures import generate_secret
from comanda_webhooks.services.signing_secrets import (
    OldSecret,
    decrypt_old_secrets,
    decrypt_secret,
    encrypt_old_secrets,
    encrypt_secret,
)

log = structlog.get_logger(__name__)

MAX_ENDPOINTS = 20
MAX_OLD_SECRETS = 2
OLD_SECRET_LIFETIME = timedelta(hours=24)

# Serializes concurrent creations at the limit without blocking rows that refer to the owner.
LOCK_OWNER = "SELECT id FROM core_owner_v1 WHERE id = $1 FOR NO KEY UPDATE"
RESUME_DELIVERIES = """
    UPDATE webhooks_delivery SET next_attempt_at = $3::timestamptz
    WHERE endpoint_id = $1 AND owner_id = $2 AND status = 'pending' AND next_attempt_at IS NULL
"""


async def list_endpoints(caller: Caller, page: PageRequest) -> RecordPage[WebhookEndpoint]:
    """Return a page of the caller's endpoints, newest first."""
    owned = Endpoint.filter(owner_id=caller.owner_id, deleted_at=None, plugin=None)
    rows = await owned.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([_to_endpoint(row) for row in rows], await page.get_total(rows, owned.count))


async def get_endpoint(caller: Caller, endpoint_id: int) -> WebhookEndpoint:
    """Return one endpoint. Raises ``NotFound`` for another owner's."""
    return _to_endpoint(await get_own_endpoint(caller, endpoint_id))


async def create_endpoint(caller: Caller, body: EndpointBody) -> IssuedEndpoint:
    """Create an endpoint. Its secret is returned only this once.

    Raises ``ValidationFailed`` for an invalid URL or events, ``Conflict`` beyond ``MAX_ENDPOINTS`` or the quota of
    the owner's plan.
    """
    columns = await _to_columns(body.url, body.events)
    secret = generate_secret()
    async with sql.transaction():
        await lock_owner(caller.owner_id)
        limit = await _get_endpoint_limit(caller.owner_id)
        if await Endpoint.filter(owner_id=caller.owner_id, deleted_at=None, plugin=None).count() >= limit:
            raise Conflict(
                f"You have {limit} endpoints, which is the limit. Delete one first.",
                extras={"limits": {"webhook_endpoints": limit}},
            )
        endpoint = await Endpoint.create(
            owner_id=caller.owner_id,
            secret="",
            scopes=sorted(caller.scopes),
            excluded_events=[],
            created_at=clock.now(),
            **columns,
        )
        # The row's id is part of the encryption context of the secret.
        endpoint.secret = encrypt_secret(secret, endpoint.owner_id, endpoint.id)
        await endpoint.save(update_fields=["secret"])
    return extend_record(IssuedEndpoint, _to_endpoint(endpoint), secret=secret)


async def lock_owner(owner_id: int) -> None:
    """Serialize creations of an owner's endpoints until the open transaction ends."""
    await sql.execute(LOCK_OWNER, owner_id)


async def _get_endpoint_limit(owner_id: int) -> int:
    quota = (await get_entitlement(owner_id, WEBHOOKS.code)).quota
    return MAX_ENDPOINTS if quota is None else min(quota, MAX_ENDPOINTS)


async def update_endpoint(caller: Caller, endpoint_id: int, change: EndpointChange) -> WebhookEndpoint:
    """Update, pause or resume an endpoint. Its secret stays.

    A new URL gives it the caller's scopes, as if it were registered now. New events reduce its scopes to those that it
    shares with the caller. Resuming, or a new URL, resets its failures. Raises ``NotFound``, ``ValidationFailed``.
    """
    await get_own_endpoint(caller, endpoint_id)  # an unknown endpoint answers 404 even if the change is invalid
    columns = await _to_columns(change.url, change.events)
    async with sql.transaction():
        found = await lock_endpoint(caller, endpoint_id)
        is_resumed = change.paused is False and found.is_paused
        if change.paused is not None:
            columns["is_paused"] = change.paused
        if columns.get("url", found.url) != found.url:
            columns["scopes"] = sorted(caller.scopes)
        elif columns.get("events", found.events) != found.events:
            columns["scopes"] = scopes.common_scopes(
                found.scopes, caller.scopes, runtime.registry().list_scopes("owner")
            )
        if is_resumed or columns.get("url", found.url) != found.url:
            columns |= {"failure_count": 0, "failing_since": None, "warned_at": None}
        if is_resumed:
            columns["disabled_reason"] = None
            await sql.execute(RESUME_DELIVERIES, endpoint_id, caller.owner_id, clock.now())
            delivery_queue.notify_senders()
        if columns:
            found.update_from_dict(columns)
            await found.save(update_fields=list(columns))
    return _to_endpoint(found)


async def delete_endpoint(caller: Caller, endpoint_id: int) -> None:
    """Delete an endpoint. Nothing more is sent to it; its log is deleted in the background."""
    async with sql.transaction():
        found = await lock_endpoint(caller, endpoint_id)
        found.update_from_dict({"deleted_at": clock.now(), "url": "", "secret": "", "old_secrets": ""})
        await found.save(update_fields=["deleted_at", "url", "secret", "old_secrets"])


async def rotate_secret(caller: Caller, endpoint_id: int) -> RotatedSecret:
    """Replace an endpoint's secret. For 24 hours deliveries are signed with the old one too."""
    moment = clock.now()
    expires_at = moment + OLD_SECRET_LIFETIME
    secret = generate_secret()
    async with sql.transaction():
        found = await lock_endpoint(caller, endpoint_id)
        old = _get_retired_secrets(found, moment, expires_at)
        found.old_secrets = encrypt_old_secrets(old, found.owner_id, found.id)
        found.secret = encrypt_secret(secret, found.owner_id, found.id)
        await found.save(update_fields=["secret", "old_secrets"])
    return RotatedSecret(found.id, secret, expires_at)


def _get_retired_secrets(endpoint: Endpoint, moment: datetime, expires_at: datetime) -> list[OldSecret]:
    """Return the old secrets that stay valid after a rotation, none if they can no longer be decrypted."""
    place = (endpoint.owner_id, endpoint.id)
    try:
        retired = OldSecret(secret=decrypt_secret(endpoint.secret, *place), expires_at=expires_at.isoformat())
        old = decrypt_old_secrets(endpoint.old_secrets, *place)
    except DecryptionFailed as error:
        log.error("webhook_secret_unreadable", endpoint_id=endpoint.id, error=str(error))
        return []
    return [retired, *(one for one in old if one["expires_at"] > moment.isoformat())][:MAX_OLD_SECRETS]


async def get_own_endpoint(caller: Caller, endpoint_id: int) -> Endpoint:
    """Return the caller's endpoint. Raises ``NotFound``."""
    found = await Endpoint.get_or_none(id=endpoint_id, owner_id=caller.owner_id, deleted_at=None, plugin=None)
    if found is None:
        raise NotFound
    return found


async def lock_endpoint(caller: Caller, endpoint_id: int) -> Endpoint:
    """Return the caller's endpoint, locked until the open transaction ends. Raises ``NotFound``."""
    owned = Endpoint.filter(id=endpoint_id, owner_id=caller.owner_id, deleted_at=None, plugin=None)
    return require_found(await owned.select_for_update(no_key=True).first())


async def _to_columns(url: str | None, events: Iterable[str] | None) -> dict[str, Any]:
    """Return the columns for a URL and events, if given. Raises ``ValidationFailed`` with all errors."""
    columns: dict[str, Any] = {}
    faults: dict[str, list[str]] = {}
    if events is not None:
        try:
            columns["events"] = list(event_patterns.normalize_patterns(events, event_catalog.get_subscribable_events()))
        except event_patterns.InvalidPatterns as error:
            faults["events"] = list(error.messages)
    if url is not None:
        try:
            columns["url"] = await get_receiver(settings.get_allowed_targets()).validate_url(url)
        except ForbiddenTarget as error:
            faults["url"] = [str(error)]
    if faults:
        raise ValidationFailed(faults)
    return columns


@lru_cache(maxsize=1)
def get_receiver(allowed: AllowedTargets) -> Receiver:
    """Return what checks the URLs of receivers."""
    return HttpReceiver(allowed=allowed)


def _to_endpoint(row: Endpoint) -> WebhookEndpoint:
    return extend_record(
        WebhookEndpoint,
        row,
        disabled_reason=None if row.disabled_reason is None else DisabledReason(row.disabled_reason),
    )
