"""Sources of entitlements: what each grants, and the events when an owner's effective set changes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import orjson
from comanda.accounts import bump_owner_version
from comanda.basics import ValidationFailed, clock
from comanda.platform.db import sql
from tortoise.queryset import QuerySet

from comanda_entitlements.models import Source, SourceType
from comanda_entitlements.services import changes, union
from comanda_entitlements.services.changes import SourceKey
from comanda_entitlements.services.effective import Grants, get_features

# Features of marketplace apps, which no plugin declares; only a source that names one grants it.
APP_FEATURE_PREFIX: Final = "app:"
MAX_KEY_LENGTH: Final = 100

LOCK_OR_INSERT_GRANTS: Final = """
    INSERT INTO entitlements_owner (owner_id, additions, updated_at) VALUES ($1, '{}', $2)
    ON CONFLICT (owner_id) DO UPDATE SET updated_at = $2
    RETURNING plan, additions
"""
LOCK_GRANTS: Final = "SELECT plan, additions FROM entitlements_owner WHERE owner_id = $1 FOR UPDATE"
UPDATE_GRANTS: Final = """
    UPDATE entitlements_owner SET plan = $2::jsonb, additions = $3::jsonb, updated_at = $4 WHERE owner_id = $1
"""
UPSERT_SOURCE: Final = """
    INSERT INTO entitlements_source (owner_id, source_type, source_id, features, expires_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4::jsonb, $5, $6, $6)
    ON CONFLICT (owner_id, source_type, source_id) DO UPDATE SET
        features = EXCLUDED.features, expires_at = EXCLUDED.expires_at, updated_at = EXCLUDED.updated_at
"""
SELECT_SOURCES: Final = "SELECT source_type, features FROM entitlements_source WHERE owner_id = $1"


async def set_source(
    owner_id: int,
    source_type: SourceType | str,
    source_id: str,
    features: Mapping[str, int | None],
    *,
    expires_at: datetime | None = None,
) -> None:
    """Replace what a source grants: features with their quotas; None is unlimited, and no features revoke all.

    A plan without features is still a plan, under which only limits that it does not name are unlimited; remove it
    with ``remove_source``. Emits ``EntitlementChanged`` for each feature whose effective state changes. Raises
    ``ValidationFailed`` for a feature that no plugin declares, unless the source has it already.

    When an owner changes from one plan to another, set the new one first: a feature of both then does not flip.
    """
    source = SourceKey(SourceType(source_type), source_id)
    moment = clock.now()
    async with sql.transaction():
        await bump_owner_version(owner_id)
        # Every change of an owner's sources waits here for the one before it, and so compares with its result.
        before = Grants.of_row(await sql.one(LOCK_OR_INSERT_GRANTS, owner_id, moment))
        await _check_features(owner_id, source, features)
        if features or source.source_type is SourceType.PLAN:
            encoded = orjson.dumps(dict(features)).decode()
            values = (source.source_type.value, source_id, encoded, expires_at, moment)
            await sql.execute(UPSERT_SOURCE, owner_id, *values)
        else:
            await _find(owner_id, source).delete()
        await _update_grants(owner_id, before, source)


async def remove_source(owner_id: int, source_type: SourceType | str, source_id: str) -> bool:
    """Revoke what a source grants and return whether there was one. Emits ``EntitlementChanged`` like ``set_source``.

    Without any plan the owner has the default plan, or everything if there is none.
    """
    source = SourceKey(SourceType(source_type), source_id)
    async with sql.transaction():
        await bump_owner_version(owner_id)
        row = await sql.fetch_one(LOCK_GRANTS, owner_id)
        if row is None or not await _find(owner_id, source).delete():
            return False
        await _update_grants(owner_id, Grants.of_row(row), source)
    return True


async def remove_expired(owner_id: int, moment: datetime) -> int:
    """Remove an owner's expired sources and return their number. Emits ``EntitlementChanged`` like ``set_source``."""
    async with sql.transaction():
        await bump_owner_version(owner_id)
        row = await sql.fetch_one(LOCK_GRANTS, owner_id)
        expired = await Source.filter(owner_id=owner_id, expires_at__lte=moment).order_by("expires_at", "id")
        before = Grants.of_row(row)
        for found in expired:
            # One after the other, so that each event names the source that made the difference.
            source = SourceKey(SourceType(found.source_type), found.source_id)
            await _find(owner_id, source).delete()
            before = await _update_grants(owner_id, before, source)
    return len(expired)


def check_features(features: Mapping[str, int | None], known: Mapping[str, object] | None = None) -> None:
    """Raise ``ValidationFailed`` unless plugins declare all features, or they are ``known``, with valid quotas."""
    declared = get_features()
    for key, quota in features.items():
        is_app = key.startswith(APP_FEATURE_PREFIX) and len(APP_FEATURE_PREFIX) < len(key) <= MAX_KEY_LENGTH
        if not (key in declared or is_app or key in (known or ())):
            raise ValidationFailed(
                features=[f"There is no feature {key[:MAX_KEY_LENGTH]}. Known are: {', '.join(sorted(declared))}."]
            )
        if quota is not None and (isinstance(quota, bool) or not isinstance(quota, int) or quota < 0):
            raise ValidationFailed(features=[f"The quota of {key} must be a whole number of at least 0, or null."])


async def _check_features(owner_id: int, source: SourceKey, features: Mapping[str, int | None]) -> None:
    # The plugin of a feature may have been removed since the source was set, which must not stop a renewal.
    known = await _find(owner_id, source).first() if features.keys() - get_features().keys() else None
    check_features(features, known.features if known is not None else None)


async def _update_grants(owner_id: int, before: Grants, source: SourceKey) -> Grants:
    """Store the union of an owner's sources and publish what changed. The row is locked."""
    rows = await sql.fetch(SELECT_SOURCES, owner_id)
    plans = [orjson.loads(row["features"]) for row in rows if row["source_type"] == SourceType.PLAN]
    others = [orjson.loads(row["features"]) for row in rows if row["source_type"] != SourceType.PLAN]
    limits = [feature.code for feature in get_features().values() if feature.is_limit]
    after = Grants(union.merge_plans(plans, limits), union.merge_grants(others))
    plan = None if after.plan is None else orjson.dumps(after.plan).decode()
    await sql.execute(UPDATE_GRANTS, owner_id, plan, orjson.dumps(after.additions).decode(), clock.now())
    await changes.publish_changes(owner_id, before, after, source)
    return after


def _find(owner_id: int, source: SourceKey) -> QuerySet[Source]:
    return Source.filter(owner_id=owner_id, source_type=source.source_type.value, source_id=source.source_id)
