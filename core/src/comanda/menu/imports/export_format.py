"""A store's menu in the format of imports, from which both file formats are written."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from comanda.basics import money
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, ItemVariant
from comanda.contracts.stores.verticals import Vertical
from comanda.menu.columns import build_json, list_imported
from comanda.menu.imports.document import IGNORED_KEYS
from comanda.menu.reading.item_json import to_item_json
from comanda.menu.reading.queries import MenuData
from comanda.menu.records import MenuCategory


def _build_export(record: type) -> Callable[[Any, str], Mapping[str, Any]]:
    return build_json(record, list_imported(record), to_amount=money.to_decimal_string)


_to_category: Final = _build_export(MenuCategory)
_to_item_fields: Final = _build_export(Item)
_to_variant: Final = _build_export(ItemVariant)
_to_group_fields: Final = _build_export(ExtraGroup)
_to_extra: Final = _build_export(Extra)


def to_export_format(data: MenuData, vertical: Vertical | None) -> Sequence[Mapping[str, Any]]:
    """Return the categories with their items: without ids, with amounts as decimal strings and complete variants."""
    currency = data.store["currency"]
    items: dict[int, list[Mapping[str, Any]]] = {category.id: [] for category in data.categories}
    for item in data.items:
        items[item.category_id].append(_to_item(item, vertical, currency))
    return [{**_to_category(category, currency), "items": items[category.id]} for category in data.categories]


def _to_item(item: Item, vertical: Vertical | None, currency: str) -> Mapping[str, Any]:
    shown = to_item_json(item, vertical, currency)
    given = dict(_to_item_fields(item, currency))
    if "stock" not in shown:
        # Not counted in this store.
        del given["stock"]
    return {
        **{name: value for name, value in shown.items() if name not in IGNORED_KEYS},
        **given,
        "gallery": [{"url": picture.url, "alt": picture.alt} for picture in item.gallery],
        "variations": [_to_variant(variant, currency) for variant in item.variants],
        "extra_groups": [_to_group(group, currency) for group in item.groups],
    }


def _to_group(group: ExtraGroup, currency: str) -> Mapping[str, Any]:
    return {
        "name": group.name,
        "is_required": group.min_count > 0,
        **_to_group_fields(group, currency),
        "extras": [_to_extra(extra, currency) for extra in group.extras],
    }
