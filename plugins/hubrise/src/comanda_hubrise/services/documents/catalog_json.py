"""A menu as a catalog of HubRise, and what is sold out as an inventory. Source: HubRise's API reference, *Catalogs*."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import ExtraGroup, ItemVariant, OfferedItem
from comanda.menu import MenuSnapshot
from comanda_foreign_orders.api import to_extra_ref, to_item_ref, to_variant_ref

OUT_OF_STOCK: Final = "0"
CENT: Final = Decimal("0.01")


def build_catalog(menu: MenuSnapshot, categories: Mapping[int, str]) -> dict[str, Any]:
    """Return the items that are on the menu, with their variations and extras; ``categories`` are names by id.

    Combos are left out. What is sold out is in it, and in the inventory.
    """
    items, currency = _list_items(menu), menu.terms.currency
    used = {item.category_id for item in items}
    return {
        "categories": [{"ref": _to_category_ref(id), "name": name} for id, name in categories.items() if id in used],
        "products": [_to_product(item, currency) for item in items],
        "option_lists": [_to_option_list(group, currency) for item in items for group in item.groups],
    }


def build_inventory(menu: MenuSnapshot, *, only_skus: bool) -> list[dict[str, Any]]:
    """Return what of a menu is sold out or counted. Everything else may be sold without a limit.

    With ``only_skus`` the catalog at HubRise is not that of this menu, and SKUs are what both have in common.
    """
    entries: list[dict[str, Any]] = []
    for item in _list_items(menu):
        for variant in item.variant_by_id.values():
            if variant.sku or not only_skus:
                stock = item.stock if variant.stock is None else variant.stock
                entries += _to_entries(item, to_variant_ref(variant), stock)
        if not only_skus:
            if not item.variant_by_id:
                entries += _to_entries(item, to_item_ref(item), item.stock)
            sold_out = [extra for extra in item.extra_by_id.values() if extra.is_sold_out]
            entries += [{"option_ref": to_extra_ref(extra), "stock": OUT_OF_STOCK} for extra in sold_out]
    return entries


def _list_items(menu: MenuSnapshot) -> list[OfferedItem]:
    return [item for item in menu.items.values() if item.is_on_menu and not item.is_combo]


def _to_entries(item: OfferedItem, ref: str, stock: int | None) -> list[dict[str, Any]]:
    """Return the entry of an item or a variation, none for what may be sold without a limit."""
    if not item.is_available:
        until = item.sold_out_until if item.is_sold_out else item.orderability.changes_at
        expires = {} if until is None or item.is_used_up(stock) else {"expires_at": until.isoformat(timespec="seconds")}
        return [{"sku_ref": ref, "stock": OUT_OF_STOCK, **expires}]
    if stock is None or (stock <= 0 and item.allow_backorder):
        return []
    return [{"sku_ref": ref, "stock": str(max(0, stock))}]


def _to_product(item: OfferedItem, currency: str) -> dict[str, Any]:
    variants: tuple[ItemVariant | None, ...] = tuple(item.variant_by_id.values()) or (None,)
    lists = [_to_list_ref(group) for group in item.groups]
    return {
        "ref": to_item_ref(item),
        "category_ref": _to_category_ref(item.category_id),
        "name": item.name,
        "description": item.description or "",
        "skus": [
            {
                "ref": to_item_ref(item) if variant is None else to_variant_ref(variant),
                "name": None if variant is None else variant.name,
                "price": _to_amount((variant or item).price_minor, currency),
                "option_list_refs": lists,
            }
            for variant in variants
        ],
    }


def _to_option_list(group: ExtraGroup, currency: str) -> dict[str, Any]:
    return {
        "ref": _to_list_ref(group),
        "name": group.name,
        "min_selections": group.min_count,
        "max_selections": group.max_count,
        "options": [
            {"ref": to_extra_ref(extra), "name": extra.name, "price": _to_amount(extra.price_minor, currency)}
            for extra in group.extras
        ],
    }


def _to_category_ref(category_id: int) -> str:
    return f"category-{category_id}"


def _to_list_ref(group: ExtraGroup) -> str:
    return f"group-{group.id}"


def _to_amount(minor: int, currency: str) -> str:
    """Return an amount with two decimals, as HubRise has them in every currency."""
    return f"{Decimal(money.to_decimal_string(minor, currency)).quantize(CENT)} {currency}"
