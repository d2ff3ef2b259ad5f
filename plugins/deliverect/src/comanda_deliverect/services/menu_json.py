"""A menu as products of Deliverect. Source: its documentation, *Product Model*, *How to set Basic Product Data*."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import ExtraGroup, OfferedItem, StoreTerms
from comanda.menu import MenuSnapshot
from comanda_foreign_orders.api import to_extra_ref, to_item_ref, to_variant_ref

ITEM: Final = 1
MODIFIER: Final = 2
MODIFIER_GROUP: Final = 3
HUNDRED: Final = 100
PPM_OF_TAX: Final = 10  # 5 % is 50,000 in parts per million, and 5000 at Deliverect


def build_menu_json(menu: MenuSnapshot, categories: Mapping[int, str]) -> dict[str, Any]:
    """Return what is on the menu, with extras as modifiers; ``categories`` are names by id.

    Each variation is a product of its own, as orders name it by its PLU. Combos are left out.
    """
    items = [item for item in menu.items.values() if item.is_on_menu and not item.is_combo]
    used = {item.category_id for item in items}
    groups = [group for item in items for group in item.groups]
    modifiers = {extra.id: extra for group in groups for extra in group.extras}
    currency = menu.terms.currency
    return {
        "categories": [
            {"name": name, "posCategoryId": _to_category_ref(id)} for id, name in categories.items() if id in used
        ],
        "products": [
            *(product for item in items for product in _to_products(item, menu.terms)),
            *(_to_group(group) for group in groups),
            *(
                {
                    "productType": MODIFIER,
                    "plu": to_extra_ref(extra),
                    "name": extra.name,
                    "price": _to_price(extra.price_minor, currency),
                }
                for extra in modifiers.values()
            ),
        ],
    }


def _to_products(item: OfferedItem, terms: StoreTerms) -> list[dict[str, Any]]:
    tax = (terms.tax_rate_ppm if item.tax_rate_ppm is None else item.tax_rate_ppm) // PPM_OF_TAX
    variants = list(item.variant_by_id.values())
    named = [(to_variant_ref(each), f"{item.name} {each.name}", each.price_minor) for each in variants]
    return [
        {
            "productType": ITEM,
            "plu": plu,
            "name": name,
            "description": item.description or "",
            "price": _to_price(price_minor, terms.currency),
            "deliveryTax": tax,
            "takeawayTax": tax,
            "eatInTax": tax,
            "posCategoryIds": [_to_category_ref(item.category_id)],
            "subProducts": [_to_group_ref(group) for group in item.groups],
        }
        for plu, name, price_minor in named or [(to_item_ref(item), item.name, item.price_minor)]
    ]


def _to_group(group: ExtraGroup) -> dict[str, Any]:
    most = len(group.extras) if group.max_count is None else group.max_count
    return {
        "productType": MODIFIER_GROUP,
        "plu": _to_group_ref(group),
        "name": group.name,
        "min": group.min_count,
        "max": most,
        "multiMax": most if group.allows_repeats else 1,
        "subProducts": [to_extra_ref(extra) for extra in group.extras],
    }


def _to_category_ref(category_id: int) -> str:
    return f"category-{category_id}"


def _to_group_ref(group: ExtraGroup) -> str:
    return f"group-{group.id}"


def _to_price(minor: int, currency: str) -> int:
    """Return an amount in hundredths, as Deliverect has them in every currency."""
    return int(Decimal(money.to_decimal_string(minor, currency)) * HUNDRED)
