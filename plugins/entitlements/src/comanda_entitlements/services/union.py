"""The union of sources: a feature is granted by any of them, with the most generous quota."""

from collections.abc import Iterable, Mapping, Sequence

from comanda.contracts import UNLIMITED, Entitlement, Feature

from comanda_entitlements.models import Quotas

NOT_GRANTED = Entitlement(is_granted=False)

Grants = Mapping[str, int | None]


def merge_grants(sources: Iterable[Grants]) -> Quotas:
    """Return the features that any of the sources grants, each with its most generous quota."""
    united: Quotas = {}
    for source in sources:
        for feature, quota in source.items():
            united[feature] = _choose_larger(united[feature], quota) if feature in united else quota
    return united


def merge_plans(plans: Sequence[Grants], limits: Iterable[str]) -> Quotas | None:
    """Return the union of plans, or None without one. A plan that does not name a limit leaves it unlimited."""
    if not plans:
        return None
    return merge_grants([*plans, *({limit: None for limit in limits if limit not in plan} for plan in plans)])


def get_entitlement(feature: str, declared: Feature | None, plan: Grants | None, additions: Grants) -> Entitlement:
    """Return the entitlement to a feature under a plan with additions.

    Without a plan every declared feature is granted without a quota; one that no plugin declares only by name.
    """
    granting = [source[feature] for source in (plan or {}, additions) if feature in source]
    is_limit = declared is not None and declared.is_limit
    if (plan is None and declared is not None) or (is_limit and plan is not None and feature not in plan):
        return UNLIMITED
    if not granting:
        return NOT_GRANTED
    return Entitlement(quota=None if None in granting else max(quota for quota in granting if quota is not None))


def _choose_larger(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)
