"""The public menu as JSON, by category and item, so that what has not changed is not encoded again."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from comanda.basics.encoding import to_json
from comanda.contracts.stores.menu_items import OfferedItem
from comanda.contracts.stores.verticals import Vertical
from comanda.menu.columns import build_json, list_shown
from comanda.menu.reading.item_json import to_public_item_json
from comanda.menu.records import MenuCategory

_to_category_json: Final = build_json(MenuCategory, list_shown(MenuCategory, is_public=True))


@dataclass(frozen=True, slots=True)
class PublicCategory:
    """An active category as guests see it: ``items`` are the JSON of those that can be ordered now, by id."""

    head: bytes
    items: Mapping[int, bytes]
    digest: bytes


@dataclass(frozen=True, slots=True)
class PublicMenu:
    """The public menu by the ids of its categories, as a whole, and with the tag by which clients keep it."""

    categories: Mapping[int, PublicCategory]
    json: bytes
    etag: str


def encode_item(item: OfferedItem, vertical: Vertical | None, currency: str) -> bytes:
    """Return an item as guests see it."""
    return to_json(to_public_item_json(item, vertical, currency))


def create_public_menu(
    categories: Iterable[MenuCategory], items: Iterable[tuple[OfferedItem, bytes]], currency: str
) -> PublicMenu:
    """Return the menu for guests: active categories with ``items``, which can be ordered now, and their JSON."""
    by_category: dict[int, dict[int, bytes]] = {category.id: {} for category in categories if category.is_active}
    for item, encoded in items:
        by_category[item.category_id][item.id] = encoded
    heads = {category.id: to_json(_to_category_json(category, currency))[:-1] for category in categories}
    return _join({each: _create_category(heads[each], found) for each, found in by_category.items()})


def replace_items(menu: PublicMenu, changed: Mapping[int, Mapping[int, bytes]]) -> PublicMenu:
    """Return a menu with other JSON of some of its items, by category and id."""
    categories = dict(menu.categories)
    for category_id, items in changed.items():
        category = categories[category_id]
        categories[category_id] = _create_category(category.head, {**category.items, **items})
    return _join(categories)


def translate_menu(menu: PublicMenu, texts: Mapping[str, str], encode: Callable[[int], bytes]) -> PublicMenu:
    """Return a menu whose categories have other names where there are texts, with the JSON of its items by their id."""
    return _join(
        {
            category_id: _create_category(
                _translate_head(category.head, texts), {item_id: encode(item_id) for item_id in category.items}
            )
            for category_id, category in menu.categories.items()
        }
    )


def _translate_head(head: bytes, texts: Mapping[str, str]) -> bytes:
    category = orjson.loads(head + b"}")
    return to_json({**category, "name": texts.get(category["name"], category["name"])})[:-1]


def _create_category(head: bytes, items: Mapping[int, bytes]) -> PublicCategory:
    return PublicCategory(head, items, hashlib.sha256(b"".join([head, *items.values()])).digest())


def _join(categories: Mapping[int, PublicCategory]) -> PublicMenu:
    digest = hashlib.sha256(b"".join([each.digest for each in categories.values()]))
    # Joined at once: a menu takes a megabyte, and each copy of it more time than all else here.
    parts = [
        part
        for each in categories.values()
        for part in (b",", each.head, b',"items":[', b",".join(each.items.values()), b"]}")
    ]
    encoded = b"".join([b"[", *parts[1:], b"]"])
    return PublicMenu(categories, encoded, f'W/"{digest.hexdigest()[:24]}"')
