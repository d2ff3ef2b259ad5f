"""A store's menu in the format of imports, from which both file formats are written."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.basics import money
from comanda.contracts.menu_items import ExtraGroup, Item, ItemVariant
from comanda.contracts.verticals import Vertical
from comanda.menu.item_json import to_item_json
from comanda.menu.queries import MenuData

UNEXPORTED_FIELDS: Final = frozenset({"id", "category_id", "sold_out_until", "variants_count"})


def to_export_format(data: MenuData, vertical: Vertical | None) -> Sequence[Mapping[str, Any]]:
    """Return the categories with their items: without ids, with amounts as decimal strings and complete variants."""
    currency = data.store["currency"]
    return [
        {
            "name": category.name,
            "position": category.position,
            "is_active": category.is_active,
            "items": [_to_item(item, vertical, currency) for item in data.items if item.category_id == category.id],
        }
        for category in data.categories
    ]


def _to_item(item: Item, vertical: Vertical | None, currency: str) -> Mapping[str, Any]:
    shown = to_item_json(item, vertical, currency)
    return {
        **{name: value for name, value in shown.items() if name not in UNEXPORTED_FIELDS},
        "price": money.to_decimal_string(item.price_minor, currency),
        "allow_backorder": item.allow_backorder,
        "gallery": [{"url": picture.url, "alt": picture.alt} for picture in item.gallery],
        "variations": [_to_variant(variant, currency) for variant in item.variants],
        "extra_groups": [_to_group(group, currency) for group in item.groups],
    }


def _to_variant(variant: ItemVariant, currency: str) -> Mapping[str, Any]:
    before = variant.compare_at_price_minor
    return {
        "name": variant.name,
        "sku": variant.sku,
        "barcode": variant.barcode,
        "options": variant.options,
        "stock": variant.stock,
        "is_active": variant.is_active,
        "price": money.to_decimal_string(variant.price_minor, currency),
        "compare_at_price": None if before is None else money.to_decimal_string(before, currency),
    }


def _to_group(group: ExtraGroup, currency: str) -> Mapping[str, Any]:
    return {
        "name": group.name,
        "is_required": group.min_count > 0,
        "min": group.min_count,
        "max": group.max_count,
        "free_count": group.free_count,
        "allows_repeats": group.allows_repeats,
        "extras": [
            {
                "name": extra.name,
                "price": money.to_decimal_string(extra.price_minor, currency),
                "is_sold_out": extra.is_sold_out,
            }
            for extra in group.extras
        ],
    }
