"""Grants of administrators, for the command line and the pages of administrators; no route offers them."""

from datetime import UTC, datetime, time

import structlog
from comanda.accounts import find_owner, get_owner, record_decision
from comanda.basics import NotFound, ValidationFailed, clock
from comanda.contracts import MAX_PER_PAGE, Caller, PageRequest
from comanda.platform.db import sql

from comanda_entitlements.models import SourceType
from comanda_entitlements.records import EffectiveFeature
from comanda_entitlements.schemas import GrantBody
from comanda_entitlements.services import overview, sources

log = structlog.get_logger(__name__)


async def list_features(email: str) -> list[EffectiveFeature]:
    """List what an owner may use, at most the first 100 features. Raises ``NotFound``."""
    owner = await find_owner(email)
    return (await overview.list_effective(owner.id, PageRequest(1, MAX_PER_PAGE))).data


async def grant_feature(email: str, feature: str, quota: int | None, expires_at: datetime | None) -> None:
    """Grant a feature; a second grant replaces the first. Emits ``EntitlementChanged``.

    Raises ``NotFound``, and ``ValidationFailed`` for an unknown feature or a time that has passed.
    """
    owner = await find_owner(email)
    await _grant(owner.id, feature, quota, expires_at)


async def revoke_feature(email: str, feature: str) -> None:
    """Revoke what ``grant_feature`` granted. Emits ``EntitlementChanged``. Raises ``NotFound``."""
    owner = await find_owner(email)
    await _revoke(owner.id, feature)


@sql.transaction()
async def grant_as_administrator(caller: Caller, owner_id: int, grant: GrantBody) -> None:
    """Grant a feature for an administrator, with an entry in the owner's audit log. It ends when its last day begins.

    Raises what ``grant_feature`` raises.
    """
    await get_owner(owner_id)
    expires_at = None if grant.until is None else datetime.combine(grant.until, time(), UTC)
    await _grant(owner_id, grant.feature, grant.quota, expires_at)
    await record_decision(caller, owner_id, "account/entitlement_grant")


@sql.transaction()
async def revoke_as_administrator(caller: Caller, owner_id: int, feature: str) -> None:
    """Revoke a grant for an administrator, with an entry in the owner's audit log. Raises ``NotFound``."""
    await get_owner(owner_id)
    await _revoke(owner_id, feature)
    await record_decision(caller, owner_id, "account/entitlement_revoke")


async def _grant(owner_id: int, feature: str, quota: int | None, expires_at: datetime | None) -> None:
    if expires_at is not None and expires_at <= clock.now():
        raise ValidationFailed(until=["This time has passed."])
    await sources.set_source(owner_id, SourceType.ADMIN, feature, {feature: quota}, expires_at=expires_at)
    log.warning("entitlement_granted", owner_id=owner_id, feature=feature, quota=quota, expires_at=expires_at)


async def _revoke(owner_id: int, feature: str) -> None:
    if not await sources.remove_source(owner_id, SourceType.ADMIN, feature):
        raise NotFound(f"No administrator has granted {feature} to this owner.")
    log.warning("entitlement_revoked", owner_id=owner_id, feature=feature)
