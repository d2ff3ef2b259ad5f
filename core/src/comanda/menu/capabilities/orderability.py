"""When items can be ordered, as far as the fields of their capabilities limit that."""

from collections.abc import Iterable, Mapping, MutableSequence
from datetime import datetime
from zoneinfo import ZoneInfo

from comanda.contracts.stores.menu_items import Item
from comanda.contracts.stores.verticals import (
    ALWAYS_ORDERABLE,
    ItemCapability,
    Orderability,
    OrderableAt,
    Values,
    Vertical,
)
from comanda.menu.reading.queries import MenuData
from comanda.platform import runtime
from comanda.platform.plugin_calls import PluginFailed, run_plugin
from comanda.stores.records import find_vertical


def list_limits(vertical: Vertical | None) -> list[ItemCapability]:
    """List the capabilities of a vertical that limit when its items can be ordered."""
    capabilities = [] if vertical is None else runtime.registry().item_fields(vertical)
    return [capability for capability in capabilities if capability.orderable_at is not None]


def list_menu_orderability(data: MenuData) -> Mapping[int, Orderability]:
    """Return when the items of a menu can be ordered, by id, without those that have no such fields."""
    vertical, zone = find_vertical(data.store["store_type"]), ZoneInfo(data.store["timezone"])
    return list_orderability(data.items, vertical, zone, data.moment)


def list_orderability(
    items: Iterable[Item], vertical: Vertical | None, zone: ZoneInfo, moment: datetime
) -> Mapping[int, Orderability]:
    """Return when items can be ordered, by id, without those that have no such fields."""
    limits = list_limits(vertical)
    if not limits:
        return {}
    names = frozenset(name for capability in limits for name in capability.fields.model_fields)
    return {
        item.id: find_orderability(limits, item.attributes, zone, moment)
        for item in items
        if item.attributes and not names.isdisjoint(item.attributes) and _has_any(item.attributes, names)
    }


def _has_any(values: Values, names: Iterable[str]) -> bool:
    return any(values.get(name) is not None for name in names)


def find_orderability(
    limits: MutableSequence[ItemCapability], values: Values, zone: ZoneInfo, moment: datetime
) -> Orderability:
    """Return whether an item with these values can be ordered, and the first moment at which that may change.

    A capability that fails is removed from ``limits``, so that a menu is not a failure for each of its items.
    """
    found: list[Orderability] = []
    for capability in list(limits):
        if capability.orderable_at is None or values.keys().isdisjoint(capability.fields.model_fields):
            continue
        try:
            found.append(run_plugin(capability, "orderable_at", _ask, capability.orderable_at, values, zone, moment))
        except PluginFailed:
            limits.remove(capability)
    return _combine(found)


def _ask(find: OrderableAt, values: Values, zone: ZoneInfo, moment: datetime) -> Orderability:
    found: object = find(values, zone, moment)
    if not isinstance(found, Orderability):
        raise TypeError(f"orderable_at returned {found!r}, which is no Orderability")
    changes_at = found.changes_at
    if changes_at is not None and (changes_at.tzinfo is None or changes_at <= moment):
        raise ValueError(f"orderable_at returned {changes_at!r}, which is no later time with a time zone")
    return found


def _combine(found: list[Orderability]) -> Orderability:
    """Return what all of these allow. While several refuse, nothing changes before the last of them does."""
    refusals = [each.changes_at for each in found if not each.is_orderable]
    if not refusals:
        changes = [each.changes_at for each in found if each.changes_at is not None]
        return Orderability(True, min(changes)) if changes else ALWAYS_ORDERABLE
    ends = [each for each in refusals if each is not None]
    return Orderability(False, max(ends) if len(ends) == len(refusals) else None)
