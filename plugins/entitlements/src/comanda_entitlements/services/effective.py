"""What an owner is entitled to now: one lookup by primary key, or none while the owner's row has not changed.

Grants are kept in memory with the version of the owner's row, which is read with every token and which each change of
an owner's sources bumps in its transaction. So no process misses a revocation.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import orjson
from comanda.contracts import Entitlement, Feature
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_entitlements import settings
from comanda_entitlements.models import Quotas
from comanda_entitlements.services import union

SELECT_GRANTS: Final = "SELECT plan, additions FROM entitlements_owner WHERE owner_id = $1"


# When there are more, all are read again.
MAX_CACHED_OWNERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Grants:
    """What an owner's sources grant: ``plan`` is None for an owner without one."""

    plan: Quotas | None = None
    additions: Quotas | None = None

    @classmethod
    def of_row(cls, row: sql.Row | None) -> "Grants":
        """Return the grants of a row of ``entitlements_owner``."""
        if row is None:
            return cls()
        return cls(None if row["plan"] is None else orjson.loads(row["plan"]), orjson.loads(row["additions"]))

    def get_entitlement(self, feature: str) -> Entitlement:
        """Return the entitlement to a feature; an owner without a plan has the default one, if there is one."""
        plan = settings.get_settings().default_plan if self.plan is None else self.plan
        return union.get_entitlement(feature, get_features().get(feature), plan, self.additions or {})

    def list_named(self) -> frozenset[str]:
        """Return the features that the sources name."""
        return frozenset(self.plan or ()) | frozenset(self.additions or ())


_cached: Final[dict[int, tuple[int, Grants]]] = {}


def get_features() -> Mapping[str, Feature]:
    """Return the features that installed plugins declare, by their keys."""
    return runtime.registry().features


async def get_grants(owner_id: int) -> Grants:
    """Return what an owner's sources grant now."""
    return Grants.of_row(await sql.fetch_one(SELECT_GRANTS, owner_id))


async def find_entitlement(owner_id: int, feature: str) -> Entitlement:
    """Return an owner's entitlement to a feature."""
    return (await get_grants(owner_id)).get_entitlement(feature)


async def find_entitlements(
    owner_id: int, features: Collection[str], owner_version: int | None
) -> Mapping[str, Entitlement]:
    """Return an owner's entitlements to several features, from memory if the version of the owner is known there."""
    known = _cached.get(owner_id)
    if known is not None and known[0] == owner_version:
        grants = known[1]
    else:
        # Read after the version, so these are as new as the version or newer.
        grants = await get_grants(owner_id)
        if owner_version is not None:
            if len(_cached) >= MAX_CACHED_OWNERS:
                _cached.clear()
            _cached[owner_id] = (owner_version, grants)
    return {feature: grants.get_entitlement(feature) for feature in features}


async def get_effective(owner_id: int) -> Mapping[str, Entitlement]:
    """Return an owner's entitlement to every declared feature, and to those of apps that are granted."""
    grants = await get_grants(owner_id)
    return {feature: grants.get_entitlement(feature) for feature in sorted(get_features().keys() | grants.list_named())}
