"""Grants of administrators, for the command line; no route offers them."""

from datetime import datetime

import structlog
from comanda import clock
from comanda.accounts.services import find_owner
from comanda.contracts.paging import MAX_PER_PAGE, PageRequest
from comanda.errors import NotFound, ValidationFailed

from comanda_entitlements.models import SourceType
from comanda_entitlements.records import EffectiveFeature
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
    if expires_at is not None and expires_at <= clock.now():
        raise ValidationFailed(until=["This time has passed."])
    owner = await find_owner(email)
    await sources.set_source(owner.id, SourceType.ADMIN, feature, {feature: quota}, expires_at=expires_at)
    log.warning("entitlement_granted", owner_id=owner.id, feature=feature, quota=quota, expires_at=expires_at)


async def revoke_feature(email: str, feature: str) -> None:
    """Revoke what ``grant_feature`` granted. Emits ``EntitlementChanged``. Raises ``NotFound``."""
    owner = await find_owner(email)
    if not await sources.remove_source(owner.id, SourceType.ADMIN, feature):
        raise NotFound(f"No administrator has granted {feature} to {email}.")
    log.warning("entitlement_revoked", owner_id=owner.id, feature=feature)
