"""The objects of themes for a store's pages, as plain values, from the same menu that orders are priced with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from comanda.basics import clock, money
from comanda.contracts import Extra, ExtraGroup, ItemVariant, LinkPlace, MenuKind, StoreOffer, StoreTerms, Vertical
from comanda.menu import MenuSnapshot
from comanda.orders import list_offers
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import Opening, to_picture_url
from comanda.web import N_, current_language
from comanda.web import gettext as _

from comanda_storefront.pages.checkout.order_options import price_required_choices, to_item_options
from comanda_storefront.pages.formats import format_choice_rule
from comanda_storefront.pages.store.item_facts import (
    list_capabilities,
    list_facts,
    list_filters,
    list_flags,
    list_reductions,
)
from comanda_storefront.pages.store.photo_hosts import is_remote, is_usable_photo

SENTENCES: Final[Mapping[MenuKind, Mapping[str, str]]] = {
    MenuKind.MENU: {
        "search": N_("Search the menu"),
        "no_items": N_("There is nothing on the menu at the moment."),
    },
    MenuKind.PRODUCTS: {
        "search": N_("Search products"),
        "no_items": N_("There are no products at the moment."),
    },
    MenuKind.PARTS: {
        "search": N_("Search parts"),
        "no_items": N_("There are no parts at the moment."),
    },
    MenuKind.SERVICES: {
        "search": N_("Search services"),
        "no_items": N_("There are no services at the moment."),
    },
}


@dataclass(frozen=True, slots=True)
class StoreObjects:
    """The objects that all pages of a store share; ``options`` are the items as the scripts know them."""

    objects: Mapping[str, Any]
    options: tuple[dict[str, Any], ...]
    photo_urls: tuple[str, ...]


def to_store_objects(row: sql.Row, menu: MenuSnapshot, opening: Opening, base_path: str) -> StoreObjects:
    """Return the objects of a store at one moment. ``base_path`` is the path of its first page."""
    builder = _ItemBuilder(menu, base_path)
    categories = [
        {**_to_category(category, base_path), "items": [builder.build(item, category) for item in category["items"]]}
        for category in orjson.loads(menu.public)
        if category["items"]
    ]
    items = [item for category in categories for item in category["items"]]
    photos = tuple(
        url for item in items for url in (item["image_url"], *(each["url"] for each in item["gallery"])) if url
    )
    return StoreObjects(
        {
            "store": _to_store(row, menu, opening, base_path),
            "menu": {
                "categories": categories,
                "items_count": len(items),
                "filters": list_filters(items, builder.capabilities),
                "has_remote_photos": any(is_remote(url) for url in photos),
            },
            "categories": categories,
            "items_by_id": {str(item["id"]): item for item in items},
            "categories_by_id": {str(category["id"]): category for category in categories},
            "words": get_sentences(menu.terms.vertical),
        },
        tuple(builder.options),
        photos,
    )


def to_request_object(path: str, template: str, *, is_preview: bool = False) -> dict[str, Any]:
    """Return the object ``request``."""
    language = current_language()
    return {
        "path": path,
        "locale": language.code,
        "direction": language.direction,
        "is_preview": is_preview,
        "template": template,
    }


class _ItemBuilder:
    def __init__(self, menu: MenuSnapshot, base_path: str) -> None:
        self._menu, self._base_path = menu, base_path
        self._currency = menu.terms.currency
        self.capabilities = list_capabilities(menu.terms)
        self.options: list[dict[str, Any]] = []

    def build(self, item: Mapping[str, Any], category: Mapping[str, Any]) -> dict[str, Any]:
        row = self._menu.items[item["id"]]
        variants = [variant for variant in row.variants if variant.is_active]
        sold_out = {choice["id"] for choice in item["variations"] if choice["is_sold_out"]}
        self.options.append(to_item_options(row, variants, sold_out))
        prices = [variant.price_minor for variant in variants] or [row.price_minor]
        choices_minor = price_required_choices(row)
        return {
            **item,
            "url": f"{self._base_path}/items/{item['id']}",
            "image_url": _to_photo_url(item["image_url"]),
            "gallery": [{"url": each.url, "alt": each.alt} for each in row.gallery if is_usable_photo(each.url)],
            "category": {
                "id": category["id"],
                "name": category["name"],
                "url": f"{self._base_path}/categories/{category['id']}",
            },
            "price": self._to_amount(row.price_minor),
            "lowest_price": self._to_amount(min(prices) + choices_minor),
            "has_price_range": min(prices) != max(prices) or choices_minor > 0,
            "has_choices": len(variants) > 1 or bool(row.groups),
            "variations": [self._to_variation(each, sold_out) for each in variants],
            "extra_groups": [self._to_group(each) for each in row.groups],
            "facts": [
                *list_reductions(item, None, self._currency),
                *list_facts(item, self.capabilities, self._currency),
            ],
            "flags": list_flags(item, self.capabilities),
        }

    def _to_variation(self, variant: ItemVariant, sold_out: set[int]) -> dict[str, Any]:
        price = self._to_amount(variant.price_minor)
        return {"id": variant.id, "name": variant.name, "price": price, "is_sold_out": variant.id in sold_out}

    def _to_group(self, group: ExtraGroup) -> dict[str, Any]:
        return {
            "id": group.id,
            "name": group.name,
            "rule": format_choice_rule(group),
            "is_required": group.min_count > 0,
            "min": group.min_count,
            "max": group.max_count,
            "free_count": group.free_count,
            "allows_repeats": group.allows_repeats,
            "extras": [self._to_extra(each) for each in group.extras],
        }

    def _to_extra(self, extra: Extra) -> dict[str, Any]:
        price = self._to_amount(extra.price_minor)
        return {"id": extra.id, "name": extra.name, "price": price, "is_sold_out": extra.is_sold_out}

    def _to_amount(self, minor: int) -> int | float:
        return money.to_number(minor, self._currency)


def _to_category(category: Mapping[str, Any], base_path: str) -> dict[str, Any]:
    return {"id": category["id"], "name": category["name"], "url": f"{base_path}/categories/{category['id']}"}


def _to_store(row: sql.Row, menu: MenuSnapshot, opening: Opening, base_path: str) -> dict[str, Any]:
    terms, vertical = menu.terms, menu.terms.vertical
    return {
        "id": row["id"],
        "title": row["title"],
        "slug": row["slug"],
        "url": base_path,
        "store_type": row["store_type"],
        "vertical": {
            "label": vertical.label if vertical else "",
            "group": str(vertical.group) if vertical else "",
            "capabilities": dict.fromkeys(vertical.capabilities, True) if vertical else {},
            "fulfillment_modes": list(vertical.fulfillment_modes) if vertical else [],
        },
        "currency": terms.currency,
        "timezone": terms.zone.key,
        "country": row["country"],
        "address": row["address"],
        "phone": row["phone"],
        "logo_url": to_picture_url(row["id"], row["logo_hash"]),
        "cover_url": to_picture_url(row["id"], row["cover_hash"]),
        "is_open": opening.is_open,
        "next_open_at": opening.next_open_at.isoformat() if opening.next_open_at and not opening.is_open else None,
        "closes_at": opening.closes_at.isoformat() if opening.closes_at else None,
        "hours": orjson.loads(row["hours"]) if row["hours"] else None,
        "offers": [_to_offer(offer) for offer in list_offers(terms, clock.now())],
        "links": _list_links(terms, LinkPlace.TOP),
        "end_links": _list_links(terms, LinkPlace.END),
        "prices_note": _("Prices include tax.") if terms.is_tax_included else _("Tax is added at checkout."),
    }


def _list_links(terms: StoreTerms, place: LinkPlace) -> list[dict[str, str]]:
    return [
        {"label": _(link.label), "url": link.path.format(slug=terms.slug)}
        for pages in runtime.registry().pages
        for link in pages.store_links
        if link.place is place and link.is_offered(terms)
    ]


def _to_offer(offer: StoreOffer) -> dict[str, Any]:
    return {"name": offer.name, "until": offer.until.isoformat() if offer.until else None}


def _to_photo_url(url: str | None) -> str | None:
    return url if url and is_usable_photo(url) else None


def get_sentences(vertical: Vertical | None) -> dict[str, str]:
    """Return the sentences for a type of store, in the language of the page."""
    kind = vertical.known_menu_kind if vertical is not None else MenuKind.PRODUCTS
    return {name: _(sentence) for name, sentence in SENTENCES[kind].items()}
