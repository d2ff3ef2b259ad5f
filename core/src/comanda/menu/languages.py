"""Menus in other languages: snapshots whose names and descriptions are the texts that plugins give for them.

Orders are placed with the names of the menu itself, which the staff read; only guests see the texts.
"""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from cachetools import LRUCache

from comanda.basics.keyed_locks import KeyedLocks
from comanda.contracts.stores.menu_items import ExtraGroup, OfferedItem
from comanda.menu.reading.public_json import encode_item, translate_menu
from comanda.menu.snapshot import BYTES_PER_PUBLIC_BYTE, MAX_ITEMS_ON_LOOP, MenuSnapshot
from comanda.platform import runtime

Texts = Mapping[str, str]
# Of all stores that a process keeps: some 20 MB.
MAX_TEXTS: Final = 100_000


@dataclass(frozen=True, slots=True)
class _Translation:
    """A snapshot and what it is with other texts."""

    base: MenuSnapshot
    texts: Texts
    menu: MenuSnapshot


def _estimate_bytes(found: _Translation) -> int:
    return 2 * BYTES_PER_PUBLIC_BYTE * len(found.menu.public)


# By store and language. Bounded as the snapshots are, of which each keeps one until its next version is read.
_translations: Final[LRUCache[tuple[int, str], _Translation]] = LRUCache(math.inf, _estimate_bytes)
_loading: Final = KeyedLocks()
_translating: Final = KeyedLocks()
# With the version of the menu at which they were read.
_texts: Final[LRUCache[tuple[int, str], tuple[int, Texts]]] = LRUCache(MAX_TEXTS, lambda found: 1 + len(found[1]))


async def get_texts(owner_id: int, store_id: int, version: int, language: str) -> Texts:
    """Return what the texts of a version of a store's menu are in a language, by its code; empty if there are none."""
    providers = runtime.registry().menu_texts
    if not providers:
        return {}
    key = (store_id, language)
    found = _texts.get(key)
    if found is None or found[0] != version:
        # All who wait for the texts of a menu that has changed take those that the first of them loads.
        async with _loading[key]:
            found = _texts.get(key)
            if found is None or found[0] != version:
                texts: dict[str, str] = {}
                for each in reversed(providers):
                    texts |= await each.load(owner_id, store_id, language)
                found = _texts[key] = (version, texts)
    return found[1]


async def get_in_language(menu: MenuSnapshot, language: str) -> MenuSnapshot:
    """Return a menu in a language, by its code. What has no text in it stays as it is."""
    texts = await get_texts(menu.terms.owner_id, menu.terms.id, menu.version, language)
    if not texts:
        return menu
    key = (menu.terms.id, language)
    found = _translations.get(key)
    if found is None or found.base is not menu:
        async with _translating[key]:
            found = _translations.get(key)
            if found is None or found.base is not menu:
                before = found if found is not None and found.texts == texts else None
                work = partial(_translate, menu, texts, before)
                is_small = len(menu.items) <= MAX_ITEMS_ON_LOOP
                found = _Translation(menu, texts, work() if is_small else await asyncio.to_thread(work))
                _add(key, found)
    return found.menu


def _add(key: tuple[int, str], found: _Translation) -> None:
    _translations[key] = found
    limit = runtime.settings().menu_cache_mebibytes * 2**20
    while _translations.currsize > limit:
        _translations.popitem()


def _translate(menu: MenuSnapshot, texts: Texts, before: _Translation | None) -> MenuSnapshot:
    """Return a menu with other texts; items that are the same as ``before`` are used again, and their JSON."""
    same = before.base.items if before is not None else {}
    known = before.menu.items if before is not None else {}
    items = {
        item.id: known[item.id] if same.get(item.id) is item else _translate_item(item, texts)
        for item in menu.items.values()
    }
    categories = before.menu.guest_menu.categories.values() if before is not None else ()
    encoded = {item_id: found for category in categories for item_id, found in category.items.items()}

    def encode(item_id: int) -> bytes:
        item = items[item_id]
        is_same = item_id in encoded and item is known[item_id]
        return encoded[item_id] if is_same else encode_item(item, menu.terms.vertical, menu.terms.currency)

    return replace(menu, items=items, guest_menu=translate_menu(menu.guest_menu, texts, encode))


def _translate_item(item: OfferedItem, texts: Texts) -> OfferedItem:
    variants = tuple([replace(each, name=_find(texts, each.name)) for each in item.variants])
    groups = tuple([_translate_group(each, texts) for each in item.groups])
    return replace(
        item,
        name=_find(texts, item.name),
        description=item.description and _find(texts, item.description),
        gallery=tuple([replace(each, alt=_find(texts, each.alt)) for each in item.gallery]),
        variants=variants,
        variant_by_id={variant.id: variant for variant in variants if variant.is_active},
        groups=groups,
        extra_by_id={extra.id: extra for group in groups for extra in group.extras},
    )


def _translate_group(group: ExtraGroup, texts: Texts) -> ExtraGroup:
    extras = tuple([replace(each, name=_find(texts, each.name)) for each in group.extras])
    return replace(group, name=_find(texts, group.name), extras=extras)


def _find(texts: Texts, text: str) -> str:
    return texts.get(text, text)
