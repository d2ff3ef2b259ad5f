"""Until when what a menu has cannot be ordered, by the PLUs of its products at Deliverect."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from comanda.menu import MenuSnapshot
from comanda_foreign_orders.api import to_extra_ref, to_item_ref, to_variant_ref

# Deliverect wants an end. What has none here is told again long before this one.
NO_END: Final = timedelta(days=365)
LONG: Final = timedelta(days=180)


def list_ends(menu: MenuSnapshot, moment: datetime) -> dict[str, datetime]:
    """Return the ends in whole seconds; what can be ordered has ``moment``. Combos are left out."""
    ends: dict[str, datetime | None] = {}
    for item in menu.items.values():
        if item.is_combo:
            continue
        end: datetime | None = moment
        if not item.is_available:
            end = item.sold_out_until if item.is_sold_out else item.orderability.changes_at
        if not item.is_on_menu or item.is_used_up(item.stock):
            end = None
        if not item.variants:
            ends[to_item_ref(item)] = end
        for variant in item.variants:
            is_sold = variant.is_active and not item.is_used_up(variant.stock)
            ends[to_variant_ref(variant)] = end if is_sold else None
        for extra in item.extra_by_id.values():
            ends[to_extra_ref(extra)] = None if extra.is_sold_out else moment
    return {plu: (end or moment + NO_END).astimezone(UTC).replace(microsecond=0) for plu, end in ends.items()}


def list_due(
    ends: Mapping[str, datetime], told: Mapping[str, datetime | None], moment: datetime
) -> dict[datetime, list[str]]:
    """Return the PLUs by their ends that Deliverect does not know, those that are gone the longest first."""
    due: dict[datetime, list[str]] = {}
    for plu in sorted(ends, key=lambda plu: (-ends[plu].timestamp(), plu)):
        if _differs(ends[plu], told.get(plu, moment), moment):
            due.setdefault(ends[plu], []).append(plu)
    return due


def _differs(end: datetime, told: datetime | None, moment: datetime) -> bool:
    if told is None:
        return True
    # What has ended has ended there as well.
    is_same = max(end, told) <= moment or min(end, told) >= moment + LONG
    return not is_same and end != told
