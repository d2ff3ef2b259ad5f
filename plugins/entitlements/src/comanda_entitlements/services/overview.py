"""What an owner is entitled to, for people: features with labels, quotas, what is used, and where they come from."""

from typing import Final

from comanda.contracts import PageRequest, RecordPage
from comanda.platform import count_used

from comanda_entitlements import settings
from comanda_entitlements.models import Source, SourceType
from comanda_entitlements.records import EffectiveFeature, GrantSource
from comanda_entitlements.services import effective
from comanda_entitlements.services.effective import Grants

DEFAULT_PLAN: Final = "default"


async def list_effective(owner_id: int, page: PageRequest) -> RecordPage[EffectiveFeature]:
    """List every declared feature by its key, and features of apps that are granted."""
    grants = await effective.get_grants(owner_id)
    sources = await Source.filter(owner_id=owner_id).order_by("source_type", "source_id")
    keys = sorted(effective.get_features().keys() | grants.list_named())
    shown = keys[page.offset() : page.offset() + page.size()]
    return page.of([await _describe(owner_id, key, grants, sources) for key in shown], len(keys))


async def _describe(owner_id: int, key: str, grants: Grants, sources: list[Source]) -> EffectiveFeature:
    declared = effective.get_features().get(key)
    entitlement = grants.get_entitlement(key)
    return EffectiveFeature(
        feature_key=key,
        label=declared.label if declared is not None else key,
        is_granted=entitlement.is_granted,
        quota=entitlement.quota,
        quota_unit=declared.quota_unit if declared is not None else None,
        used=await count_used(owner_id, declared) if declared is not None else None,
        sources=_list_sources(key, grants, sources),
    )


def _list_sources(key: str, grants: Grants, sources: list[Source]) -> list[GrantSource]:
    found = [
        GrantSource(SourceType(source.source_type), source.source_id, source.features[key], source.expires_at)
        for source in sources
        if key in source.features
    ]
    default = settings.get_settings().default_plan
    if grants.plan is None and default is not None and key in default:
        found.insert(0, GrantSource(SourceType.PLAN, DEFAULT_PLAN, default[key], None))
    return found
