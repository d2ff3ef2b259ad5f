"""What owners do with their endpoints: create, change, pause, rotate the secret, delete."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import structlog
from comanda import clock
from comanda.contracts import scopes
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.encryption import DecryptionFailed
from comanda.errors import Conflict, NotFound, ValidationFailed

from comanda_webhooks import catalogue, fanout, matching, settings
from comanda_webhooks.addresses import AllowedTargets, ForbiddenTarget
from comanda_webhooks.client import HttpReceiver, Receiver
from comanda_webhooks.models import Endpoint
from comanda_webhooks.schemas import EndpointBody, EndpointChange
from comanda_webhooks.signing import new_secret
from comanda_webhooks.stored_secrets import (
    OldSecret,
    decrypt_old_secrets,
    decrypt_secret,
    encrypt_old_secrets,
    encrypt_secret,
)

log = structlog.get_logger(__name__)

MAX_ENDPOINTS = 20
MAX_OLD_SECRETS = 2
OLD_SECRET_LIVES = timedelta(hours=24)

# Two creations at once must not both be the twentieth; rows that refer to the owner are not held up by this.
LOCK_OWNER = "SELECT id FROM core_owner WHERE id = $1 FOR NO KEY UPDATE"
RESUME = """
    UPDATE webhooks_delivery SET next_attempt_at = $3::timestamptz
    WHERE endpoint_id = $1 AND owner_id = $2 AND status = 'pending' AND next_attempt_at IS NULL
"""


async def page_of_endpoints(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the caller's endpoints, newest first."""
    mine = Endpoint.filter(owner_id=caller.owner_id, deleted_at=None)
    rows = await mine.order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([_record(row) for row in rows], await mine.count())


async def endpoint(caller: Caller, endpoint_id: int) -> dict[str, Any]:
    """Describe one endpoint. Raises ``NotFound`` for another owner's."""
    return _record(await own_endpoint(caller, endpoint_id))


async def create_endpoint(caller: Caller, body: EndpointBody) -> dict[str, Any]:
    """Create an endpoint; the answer is the only one that holds its secret.

    Raises ``ValidationFailed`` for a URL or events that will not do, ``Conflict`` beyond ``MAX_ENDPOINTS``.
    """
    columns = await _checked(body.url, body.events)
    secret = new_secret()
    async with sql.transaction():
        await sql.execute(LOCK_OWNER, caller.owner_id)
        if await Endpoint.filter(owner_id=caller.owner_id, deleted_at=None).count() >= MAX_ENDPOINTS:
            raise Conflict(
                f"You have {MAX_ENDPOINTS} endpoints, which is the limit. Delete one first.",
                extras={"limits": {"webhook_endpoints": MAX_ENDPOINTS}},
            )
        made = await Endpoint.create(
            owner_id=caller.owner_id, secret="", scopes=sorted(caller.scopes), created_at=clock.now(), **columns
        )
        # The row's id is part of what the secret is encrypted with.
        made.secret = encrypt_secret(secret, made.owner_id, made.id)
        await made.save(update_fields=["secret"])
    return {**_record(made), "secret": secret}


async def change_endpoint(caller: Caller, endpoint_id: int, change: EndpointChange) -> dict[str, Any]:
    """Change, pause or resume an endpoint; its secret stays.

    A new URL gives it the caller's scopes, as if it were registered now; new events from a caller who may see less
    leave it the scopes that both have. Resuming, or a new URL, clears what was counted against it.
    Raises ``NotFound``, ``ValidationFailed``.
    """
    await own_endpoint(caller, endpoint_id)  # what is not there is not found, however wrong the change
    columns = await _checked(change.url, change.events)
    async with sql.transaction():
        found = await locked_endpoint(caller, endpoint_id)
        is_resumed = change.paused is False and found.is_paused
        if change.paused is not None:
            columns["is_paused"] = change.paused
        if columns.get("url", found.url) != found.url:
            columns["scopes"] = sorted(caller.scopes)
        elif columns.get("events", found.events) != found.events:
            columns["scopes"] = scopes.common_scopes(found.scopes, caller.scopes)
        if is_resumed or columns.get("url", found.url) != found.url:
            columns |= {"failure_count": 0, "failing_since": None, "warned_at": None}
        if is_resumed:
            columns["disabled_reason"] = None
            await sql.execute(RESUME, endpoint_id, caller.owner_id, clock.now())
            fanout.announce()
        if columns:
            found.update_from_dict(columns)
            await found.save(update_fields=list(columns))
    return _record(found)


async def delete_endpoint(caller: Caller, endpoint_id: int) -> None:
    """Delete an endpoint: nothing is sent to it from now on. Its log goes in the background."""
    async with sql.transaction():
        found = await locked_endpoint(caller, endpoint_id)
        found.update_from_dict({"deleted_at": clock.now(), "url": "", "secret": "", "old_secrets": ""})
        await found.save(update_fields=["deleted_at", "url", "secret", "old_secrets"])


async def rotate_secret(caller: Caller, endpoint_id: int) -> dict[str, Any]:
    """Give an endpoint a new secret. For a day deliveries carry a signature by the old one as well."""
    moment = clock.now()
    expires_at = moment + OLD_SECRET_LIVES
    secret = new_secret()
    async with sql.transaction():
        found = await locked_endpoint(caller, endpoint_id)
        old = _retired_secrets(found, moment, expires_at)
        found.old_secrets = encrypt_old_secrets(old, found.owner_id, found.id)
        found.secret = encrypt_secret(secret, found.owner_id, found.id)
        await found.save(update_fields=["secret", "old_secrets"])
    return {"id": found.id, "secret": secret, "old_secret_expires_at": expires_at}


def _retired_secrets(endpoint: Endpoint, moment: datetime, expires_at: datetime) -> list[OldSecret]:
    """Return the secrets that sign beside the next one: none where those before cannot be decrypted any more."""
    place = (endpoint.owner_id, endpoint.id)
    try:
        retired = OldSecret(secret=decrypt_secret(endpoint.secret, *place), expires_at=expires_at.isoformat())
        old = decrypt_old_secrets(endpoint.old_secrets, *place)
    except DecryptionFailed as error:
        log.error("webhook_secret_unreadable", endpoint_id=endpoint.id, error=str(error))
        return []
    return [retired, *(one for one in old if one["expires_at"] > moment.isoformat())][:MAX_OLD_SECRETS]


async def own_endpoint(caller: Caller, endpoint_id: int) -> Endpoint:
    """Return the caller's endpoint. Raises ``NotFound``."""
    found = await Endpoint.get_or_none(id=endpoint_id, owner_id=caller.owner_id, deleted_at=None)
    if found is None:
        raise NotFound
    return found


async def locked_endpoint(caller: Caller, endpoint_id: int) -> Endpoint:
    """Return the caller's endpoint, locked until the open transaction ends. Raises ``NotFound``."""
    mine = Endpoint.select_for_update(no_key=True).filter(id=endpoint_id, owner_id=caller.owner_id, deleted_at=None)
    found = await mine.first()
    if found is None:
        raise NotFound
    return found


async def _checked(url: str | None, events: Iterable[str] | None) -> dict[str, Any]:
    """Return the columns that a URL and events become, each if given. Raises ``ValidationFailed`` with all faults."""
    columns: dict[str, Any] = {}
    faults: dict[str, list[str]] = {}
    if events is not None:
        try:
            columns["events"] = list(matching.normalise(events, catalogue.subscribable_events()))
        except matching.InvalidPatterns as error:
            faults["events"] = list(error.messages)
    if url is not None:
        try:
            columns["url"] = await _receiver(settings.allowed_targets()).vet(url)
        except ForbiddenTarget as error:
            faults["url"] = [str(error)]
    if faults:
        raise ValidationFailed(faults)
    return columns


@lru_cache(maxsize=1)
def _receiver(allowed: AllowedTargets) -> Receiver:
    return HttpReceiver(allowed=allowed)


def _record(found: Endpoint) -> dict[str, Any]:
    return {
        "id": found.id,
        "url": found.url,
        "events": found.events,
        "scopes": found.scopes,
        "is_paused": found.is_paused,
        "disabled_reason": found.disabled_reason,
        "last_success_at": found.last_success_at,
        "last_failure_at": found.last_failure_at,
        "failure_count": found.failure_count,
        "created_at": found.created_at,
    }
