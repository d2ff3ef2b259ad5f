"""The content of a menu, read from the texts that the database returns: in any process, without one of its own."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import orjson

from comanda.basics.frozen_records import build_constructor
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, ItemVariant, Picture, PictureSize
from comanda.menu.columns import build_reader
from comanda.menu.records import MenuCategory
from comanda.platform.photos.urls import to_url

# A large menu has thousands of these.
_make_item: Final = build_constructor(Item)
_make_variant: Final = build_constructor(ItemVariant)
_make_group: Final = build_constructor(ExtraGroup)
_make_extra: Final = build_constructor(Extra)
NOT_COMPARED: Final = (None, None)
_read_item, _read_variant, _read_group, _read_extra = map(build_reader, (Item, ItemVariant, ExtraGroup, Extra))


@dataclass(frozen=True, slots=True)
class MenuContent:
    """The categories and items of a menu, with the times at which sold-out items and extras become available again."""

    categories: tuple[MenuCategory, ...]
    items: tuple[Item, ...]
    return_times: tuple[datetime, ...]


def read_content(texts: Mapping[str, str], moment: datetime, site_url: str) -> MenuContent:
    """Return a menu as it is at a moment. ``site_url`` begins the URLs of photos."""
    return _MenuReader(texts, moment, site_url).read()


class _MenuReader:
    """Reads the rows of a menu into records, and collects when what is sold out becomes available again."""

    def __init__(self, texts: Mapping[str, str], moment: datetime, site_url: str) -> None:
        self._texts, self._moment, self._site_url = texts, moment, site_url
        self._return_times: list[datetime] = []

    def read(self) -> MenuContent:
        self._variants = _group_by_item(self._texts["variants"])
        self._compared_items = _read_compared(self._texts["compared_items"])
        self._compared_variants = _read_compared(self._texts["compared_variants"])
        self._groups = _group_by_item(self._texts["groups"])
        self._gallery = _group_by_item(self._texts["gallery"])
        categories = tuple([MenuCategory(**each) for each in orjson.loads(self._texts["categories"])])
        items = tuple([self._to_item(each) for each in orjson.loads(self._texts["items"])])
        return MenuContent(categories, items, tuple(self._return_times))

    def _to_item(self, row: MutableMapping[str, Any]) -> Item:
        item_id, name = row["id"], row["name"]
        row["is_sold_out"], row["sold_out_until"] = self._read_flag(row)
        row["compare_at_price_minor"], row["prior_price_minor"] = self._compared_items.get(item_id, NOT_COMPARED)
        row["variants"] = tuple([self._to_variant(each) for each in self._variants.get(item_id, ())])
        row["groups"] = tuple([self._to_group(each) for each in self._groups.get(item_id, ())])
        row["gallery"] = tuple([self._to_picture(each, name) for each in self._gallery.get(item_id, ())])
        return _make_item(_read_item(row))

    def _to_variant(self, row: MutableMapping[str, Any]) -> ItemVariant:
        row["compare_at_price_minor"], row["prior_price_minor"] = self._compared_variants.get(row["id"], NOT_COMPARED)
        return _make_variant(_read_variant(row))

    def _to_group(self, row: MutableMapping[str, Any]) -> ExtraGroup:
        row["extras"] = tuple([self._to_extra(each) for each in row["extras"]])
        return _make_group(_read_group(row))

    def _to_extra(self, row: MutableMapping[str, Any]) -> Extra:
        # Most are not sold out, and menus have more extras than anything else.
        if row["is_sold_out"]:
            row["is_sold_out"] = self._read_flag(row)[0]
        return _make_extra(_read_extra(row))

    def _read_flag(self, row: Mapping[str, Any]) -> tuple[bool, datetime | None]:
        """Return whether an item or extra is sold out by its flag, and until when; a flag whose time is over is off."""
        if not row["is_sold_out"] or row["sold_out_until"] is None:
            return row["is_sold_out"], None
        until = datetime.fromisoformat(row["sold_out_until"])
        if until <= self._moment:
            return False, None
        self._return_times.append(until)
        return True, until

    def _to_picture(self, row: Mapping[str, Any], item_name: str) -> Picture:
        alt = row["alt"] or item_name
        if row["url"] is not None:
            return Picture(None, row["url"], alt)
        sizes = tuple([self._to_size(row, size) for size in row["sizes"]])
        return Picture(row["photo_id"], sizes[-1].url, alt, sizes)

    def _to_size(self, row: Mapping[str, Any], size: Mapping[str, int]) -> PictureSize:
        url = to_url(row["store_id"], row["hash"], size["width"], self._site_url)
        return PictureSize(url, size["width"], size["height"])


def _read_compared(text: str) -> Mapping[int, tuple[int | None, int | None]]:
    return {each: (compare_at, prior) for each, compare_at, prior in orjson.loads(text)} if text != "[]" else {}


def _group_by_item(text: str) -> Mapping[int, Iterable[MutableMapping[str, Any]]]:
    found: defaultdict[int, list[MutableMapping[str, Any]]] = defaultdict(list)
    for row in orjson.loads(text):
        found[row["item_id"]].append(row)
    return found
