"""The template data of a store's page, from the same menu that orders are priced with. Without side effects."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import orjson
from comanda import runtime
from comanda.contracts.menu_items import ExtraGroup
from comanda.contracts.order_participants import StoreTerms
from comanda.db import sql
from comanda.menu.snapshot import MenuSnapshot
from comanda.stores.records import Opening
from comanda.web.translations import gettext as _

from comanda_storefront.pages.formats import format_choice_rule, format_price, format_time, to_label
from comanda_storefront.pages.order_options import to_item_options, to_page_settings

# An origin that is safe in a Content-Security-Policy: it cannot end the directive or begin another.
PHOTO_ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")


def to_store_view(row: sql.Row, menu: MenuSnapshot, opening: Opening) -> dict[str, Any]:
    """Return the data of the template ``shop.html`` and its script."""
    terms = menu.terms
    flags = get_dietary_flags(terms)
    categories = [
        {
            "id": category["id"],
            "name": category["name"],
            "items": [_to_item(item, menu, flags) for item in category["items"]],
        }
        for category in orjson.loads(menu.public)
        if category["items"]
    ]
    items = [item for category in categories for item in category["items"]]
    used = {flag for item in items for flag in item["flags"]}
    return {
        "store": row,
        "opening": _to_opening(opening, terms.zone),
        "categories": categories,
        "items_count": len(items),
        "filters": [(name, label) for name, label in flags.items() if name in used],
        "photo_hosts": sorted({item["photo_host"] for item in items if item["photo_host"]}),
        "prices_note": _("Prices include tax.") if terms.is_tax_included else _("Tax is added at checkout."),
        "settings": to_page_settings(row, terms, [item.pop("choices") for item in items]),
    }


def get_dietary_flags(terms: StoreTerms) -> dict[str, str]:
    """Return the dietary flags of items in this type of store with their labels, such as ``is_vegan``."""
    if terms.vertical is None or "dietary" not in terms.vertical.capabilities:
        return {}
    fields = runtime.registry().item_capabilities["dietary"].fields.model_fields
    return {
        name: _(field.title or to_label(name.removeprefix("is_")))
        for name, field in fields.items()
        if field.annotation is bool
    }


def _to_opening(opening: Opening, zone: ZoneInfo) -> dict[str, Any]:
    return {
        "is_open": opening.is_open,
        "next_open_at": format_time(opening.next_open_at, zone) if opening.next_open_at else None,
        "closes_at": format_time(opening.closes_at, zone) if opening.closes_at else None,
    }


def _to_item(item: Mapping[str, Any], menu: MenuSnapshot, flags: Mapping[str, str]) -> dict[str, Any]:
    currency = menu.terms.currency
    row = menu.items[item["id"]]
    variants = [variant for variant in row.variants if variant.is_active]
    sold_out = {choice["id"] for choice in item["variations"] if choice["is_sold_out"]}
    cheapest = min((variant.price_minor for variant in variants), default=row.price_minor)
    price = format_price(cheapest, currency)
    has_range = any(variant.price_minor != cheapest for variant in variants)
    return {
        "id": item["id"],
        "name": item["name"],
        "description": item["description"],
        "is_popular": item["is_popular"],
        "price": _("from %(price)s", price=price) if has_range else price,
        "facts": _list_facts(item, flags),
        "flags": [name for name in flags if item.get(name)],
        "groups": [_to_group(group, currency) for group in row.groups],
        "variations": [
            {
                "name": each.name,
                "price": format_price(each.price_minor, currency),
                "is_sold_out": each.id in sold_out,
            }
            for each in variants
        ],
        "choices": to_item_options(row, variants, sold_out),
        **_to_photo(item["image_url"]),
    }


def _list_facts(item: Mapping[str, Any], flags: Mapping[str, str]) -> list[str]:
    facts = [label for name, label in flags.items() if item.get(name)]
    if item.get("calories") is not None:
        facts.append(_("%(number)s kcal", number=item["calories"]))
    if item.get("brand"):
        facts.append(str(item["brand"]))
    if item.get("age_min"):
        facts.append(_("From age %(age)s", age=item["age_min"]))
    return facts


def _to_photo(address: str | None) -> dict[str, Any]:
    """Return an item's photo, with its host if it is another one, whose photos load only when a guest requests them.

    A guest's browser must not call other servers unasked, which would learn who reads which menu.
    """
    if not address:
        return {"photo": None, "photo_host": None}
    try:
        parts = urlsplit(address)
    except ValueError:
        return {"photo": None, "photo_host": None}
    if parts.netloc == urlsplit(runtime.settings().site_url).netloc:
        return {"photo": address, "photo_host": None}
    origin = f"{parts.scheme}://{parts.netloc}"
    return (
        {"photo": address, "photo_host": origin}
        if PHOTO_ORIGIN.fullmatch(origin)
        else {"photo": None, "photo_host": None}
    )


def _to_group(group: ExtraGroup, currency: str) -> dict[str, Any]:
    return {
        "name": group.name,
        "rule": format_choice_rule(group),
        "extras": [
            {
                "name": extra.name,
                "price": format_price(extra.price_minor, currency) if extra.price_minor else None,
                "is_sold_out": extra.is_sold_out,
            }
            for extra in group.extras
        ],
    }
