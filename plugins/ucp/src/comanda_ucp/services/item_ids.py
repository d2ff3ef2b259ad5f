"""Ids of products and variants: ``12`` is an item, ``12-34`` a variation of it."""

import re
from typing import Final

from comanda.contracts import ItemVariant, OfferedItem
from comanda.menu import MenuSnapshot

ITEM_ID: Final = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?", re.ASCII)


def format_id(item: OfferedItem, variant: ItemVariant | None = None) -> str:
    """Return the id of an item, or of a variation."""
    return str(item.id) if variant is None else f"{item.id}-{variant.id}"


def find_item(menu: MenuSnapshot, text: str) -> tuple[OfferedItem, ItemVariant | None] | None:
    """Return the item on the menu that has an id, and its variation if the id names one; None for an unknown id."""
    found = ITEM_ID.fullmatch(text)
    item = menu.items.get(int(found[1])) if found else None
    if found is None or item is None or not item.is_on_menu:
        return None
    if found[2] is None:
        return item, None
    variant = item.variant_by_id.get(int(found[2]))
    return None if variant is None else (item, variant)
