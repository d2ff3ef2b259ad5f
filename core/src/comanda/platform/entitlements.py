"""Entitlements of owners: what an owner's plan includes, as the provider of this installation decides."""

from collections.abc import Collection, Mapping
from typing import Final

from comanda.basics.errors import Forbidden, ValidationFailed
from comanda.contracts.entitlements import UNLIMITED, Entitlement, Feature
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.plugin_calls import call_plugin

# Creations that count against one quota of an owner run one after the other, so that they never exceed it together.
LOCK_QUOTA: Final = "SELECT pg_advisory_xact_lock(hashtextextended('quota:' || $2::text, $1::bigint))"


async def get_entitlement(owner_id: int, feature: str) -> Entitlement:
    """Return an owner's entitlement to a feature; everything, unlimited, where no plugin provides entitlements."""
    provider = runtime.registry().entitlement_provider
    return UNLIMITED if provider is None else await call_plugin(provider, "find", provider.find, owner_id, feature)


async def require_feature(owner_id: int, feature: str) -> Entitlement:
    """Return an owner's entitlement to a feature. Raises ``Forbidden`` with the reason ``not_entitled``."""
    entitlement = await get_entitlement(owner_id, feature)
    if not entitlement.is_granted:
        raise _create_refusal(feature)
    return entitlement


async def require_feature_of(caller: Caller, feature: str) -> None:
    """Raise ``Forbidden`` like ``require_feature``, from memory while the caller's owner has not changed."""
    if await find_missing_features(caller, (feature,)):
        raise _create_refusal(feature)


async def find_missing_features(caller: Caller, features: Collection[str]) -> frozenset[str]:
    """Return those of some features to which a caller's owner is not entitled."""
    provider, owner_id = runtime.registry().entitlement_provider, caller.owner_id
    if provider is None or not features:
        return frozenset()
    found: Mapping[str, Entitlement]
    if provider.find_all is not None:
        found = await call_plugin(provider, "find_all", provider.find_all, owner_id, features, caller.owner_version)
    else:
        found = {feature: await get_entitlement(owner_id, feature) for feature in features}
    return frozenset([feature for feature, entitlement in found.items() if not entitlement.is_granted])


async def require_quota(owner_id: int, feature: str, *, adding: int = 1, removing: int = 0) -> None:
    """Check that an owner's plan allows ``adding`` more of a feature, after ``removing`` some in the same transaction.

    The feature's declaration counts what is used. An owner above the quota can add nothing. Call it in the transaction
    that creates them, before any row is locked: from here to its end, creations that count against the same quota of
    the owner wait. Raises ``Forbidden`` like ``require_feature``, and ``ValidationFailed`` with the reason
    ``quota_reached`` and the ``limits``.
    """
    quota = (await require_feature(owner_id, feature)).quota
    if quota is None or adding < 1:
        return
    if not sql.is_in_transaction():
        raise RuntimeError("A quota is checked in the transaction that uses it.")
    await sql.execute(LOCK_QUOTA, owner_id, feature)
    used = await count_used(owner_id, runtime.registry().features[feature])
    if used is not None and used - removing + adding > quota:
        raise create_quota_error(feature, quota, used, adding)


async def count_used(owner_id: int, feature: Feature) -> int | None:
    """Return how much of a feature's quota an owner uses, or None if it is not counted."""
    if feature.count_used is None:
        return None
    return await call_plugin(feature, "count_used", feature.count_used, owner_id)


def create_quota_error(feature: str, limit: int, used: int, adding: int = 1) -> ValidationFailed:
    """Return the refusal of ``adding`` more than the plan's limit of a feature allows."""
    declared = runtime.registry().features.get(feature)
    unit = (declared.quota_unit if declared is not None else None) or feature
    sentence = f"The plan's limit of {limit} {unit} is reached."
    if adding > 1:
        sentence = f"The plan's limit is {limit} {unit}; {used} are in use, so {adding} more are not possible."
    extras = {"reason": "quota_reached", "limits": {"feature": feature, "limit": limit, "used": used}}
    return ValidationFailed({feature: [sentence]}, extras=extras)


def _create_refusal(feature: str) -> Forbidden:
    declared = runtime.registry().features.get(feature)
    label = declared.label if declared is not None else feature
    return Forbidden(
        f"Your plan does not include this feature: {label}.", extras={"reason": "not_entitled", "feature": feature}
    )
