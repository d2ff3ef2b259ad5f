"""What follows when the effective set of an owner changes: events, and orders that are counted from now on."""

from dataclasses import dataclass
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql
from comanda.platform.events import publish
from comanda.stores import bump_menu_version

from comanda_entitlements.events import Action, EntitlementChanged
from comanda_entitlements.models import SourceType
from comanda_entitlements.services import monthly_orders
from comanda_entitlements.services.effective import Grants, get_features

ORDERS_FEATURE: Final = "orders_per_month"
SELECT_STORES: Final = "SELECT id FROM core_store_v1 WHERE owner_id = $1 ORDER BY id"


@dataclass(frozen=True, slots=True)
class SourceKey:
    """A source of an owner, such as the plan with the id ``pro``."""

    source_type: SourceType
    source_id: str


async def publish_changes(owner_id: int, before: Grants, after: Grants, source: SourceKey) -> None:
    """Publish an event for each feature that was gained or lost, and let the stores know a new quota of orders."""
    await _apply_order_quota(owner_id, before, after)
    for feature in sorted(get_features().keys() | before.list_named() | after.list_named()):
        is_granted = after.get_entitlement(feature).is_granted
        if is_granted is not before.get_entitlement(feature).is_granted:
            event = EntitlementChanged(
                action=Action.GRANTED if is_granted else Action.REVOKED,
                feature_key=feature,
                source_type=source.source_type.value,
                source_id=source.source_id,
                user_id=owner_id,
                occurred_at=clock.now(),
            )
            await publish(event, owner_id=owner_id)


async def _apply_order_quota(owner_id: int, before: Grants, after: Grants) -> None:
    old, new = (grants.get_entitlement(ORDERS_FEATURE).quota for grants in (before, after))
    if old == new:
        return
    # Processes keep the quota with each store's menu. Stores come before the count, as they do in orders.
    for store in await sql.fetch(SELECT_STORES, owner_id):
        await bump_menu_version(owner_id, store["id"])
    if old is None:
        # Orders without a quota are not counted, so a count of earlier this month would lack some.
        await monthly_orders.delete_counts(owner_id)
