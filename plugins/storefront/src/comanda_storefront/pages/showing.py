"""What a store's page shows, made from the menu that orders are priced from. Pure."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import orjson
from babel.dates import format_datetime
from babel.numbers import format_currency
from comanda import money, runtime
from comanda.db import sql
from comanda.fulfillment import FulfillmentMode
from comanda.menu.snapshot import Snapshot, StoreTerms
from comanda.orders.draft import modes_of

from comanda_storefront.channels import CHANNEL

LOCALE: Final = "en"
# The fields of an order that the page asks for itself; what else a mode or a plugin wants is asked for by its name.
ASKED: Final = {"table_number": "Table", "room_number": "Room", "address": "Address"}
# An origin that may stand in a policy: nothing in it could end the directive or begin another.
HOST: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")


def shop_view(row: sql.Row, menu: Snapshot, opening: Mapping[str, Any]) -> dict[str, Any]:
    """Make what the template ``shop.html`` and the script in it work from."""
    terms = menu.terms
    flags = dietary_flags(terms)
    categories = [
        {
            "id": category["id"],
            "name": category["name"],
            "items": [_item(item, menu, flags) for item in category["items"]],
        }
        for category in orjson.loads(menu.public)
        if category["items"]
    ]
    items = [item for category in categories for item in category["items"]]
    used = {flag for item in items for flag in item["flags"]}
    return {
        "store": row,
        "opening": _opening(opening, terms.zone),
        "categories": categories,
        "items_count": len(items),
        "filters": [(name, label) for name, label in flags.items() if name in used],
        "photo_hosts": sorted({item["photo_host"] for item in items if item["photo_host"]}),
        "prices_note": "Prices include tax." if terms.is_tax_included else "Tax is added at checkout.",
        "settings": _settings(row, terms, items),
    }


def price(minor: int, currency: str) -> str:
    """Write an amount as people read it, such as €9.50."""
    return _price(minor, currency)


def moment(when: datetime, zone: ZoneInfo) -> str:
    """Write a moment as the store's clock and calendar show it."""
    return format_datetime(when.astimezone(zone), "EEE d MMM, HH:mm", locale=LOCALE)


def dietary_flags(terms: StoreTerms) -> dict[str, str]:
    """Name the yes-or-no facts of a diet that the items of this kind of store have, such as ``is_vegan``."""
    if terms.vertical is None or "dietary" not in terms.vertical.capabilities:
        return {}
    fields = runtime.registry().item_capabilities["dietary"].fields.model_fields
    return {name: _words(name.removeprefix("is_")) for name, field in fields.items() if field.annotation is bool}


@lru_cache(maxsize=5000)
def _price(minor: int, currency: str) -> str:
    return str(format_currency(money.to_decimal_string(minor, currency), currency, locale=LOCALE))


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _opening(opening: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    return {
        "is_open": opening["is_open"],
        "next_open_at": moment(opening["next_open_at"], zone) if opening["next_open_at"] else None,
        "closes_at": moment(opening["closes_at"], zone) if opening["closes_at"] else None,
    }


def _item(item: Mapping[str, Any], menu: Snapshot, flags: Mapping[str, str]) -> dict[str, Any]:
    currency = menu.terms.currency
    row = menu.items[item["id"]]
    variants = [variant for variant in row["variants"] if variant["is_active"]]
    sold_out = {choice["id"] for choice in item["variations"] if choice["is_sold_out"]}
    cheapest = min((variant["price_minor"] for variant in variants), default=row["price_minor"])
    has_range = any(variant["price_minor"] != cheapest for variant in variants)
    return {
        "id": item["id"],
        "name": item["name"],
        "description": item["description"],
        "is_popular": item["is_popular"],
        "price": ("from " if has_range else "") + price(cheapest, currency),
        "facts": _facts(item, flags),
        "flags": [name for name in flags if item.get(name)],
        "groups": [_readable(group, currency) for group in row["groups"]],
        "variations": [
            {"name": each["name"], "price": price(each["price_minor"], currency), "is_sold_out": each["id"] in sold_out}
            for each in variants
        ],
        "choices": _choices(row, variants, sold_out),
        **_photo(item["image_url"]),
    }


def _facts(item: Mapping[str, Any], flags: Mapping[str, str]) -> list[str]:
    facts = [label for name, label in flags.items() if item.get(name)]
    if item.get("calories") is not None:
        facts.append(f"{item['calories']} kcal")
    if item.get("brand"):
        facts.append(str(item["brand"]))
    if item.get("age_min"):
        facts.append(f"From age {item['age_min']}")
    return facts


def _photo(address: str | None) -> dict[str, Any]:
    """Tell where an item's photo is: on this host, where it is shown at once, or at another, which must be asked for.

    A guest's browser calls nobody's servers without the guest's knowing: they would learn who reads which menu.
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
    return {"photo": address, "photo_host": origin} if HOST.fullmatch(origin) else {"photo": None, "photo_host": None}


def _readable(group: Mapping[str, Any], currency: str) -> dict[str, Any]:
    return {
        "name": group["name"],
        "rule": rule(group),
        "extras": [
            {
                "name": extra["name"],
                "price": price(extra["price_minor"], currency) if extra["price_minor"] else None,
                "is_sold_out": extra["is_sold_out"],
            }
            for extra in group["extras"]
        ],
    }


def rule(group: Mapping[str, Any]) -> str:
    """Say how many extras of a group are to be chosen."""
    least, most, free = group["min_count"], group["max_count"], group["free_count"]
    if most is None:
        said = f"choose at least {least}" if least else "choose any"
    elif least == most:
        said = f"choose {least}"
    else:
        said = f"choose {least} to {most}" if least else f"choose up to {most}"
    return f"{said}, {free} free" if free else said


def _choices(row: Mapping[str, Any], variants: list[Any], sold_out: set[int]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "name": row["name"],
        "price": row["price_minor"],
        "variations": [
            {"id": each["id"], "name": each["name"], "price": each["price_minor"], "gone": each["id"] in sold_out}
            for each in variants
        ],
        "groups": [
            {
                "name": group["name"],
                "rule": rule(group),
                "min": group["min_count"],
                "max": group["max_count"],
                "free": group["free_count"],
                "repeats": group["allows_repeats"],
                "extras": [
                    {"id": each["id"], "name": each["name"], "price": each["price_minor"], "gone": each["is_sold_out"]}
                    for each in group["extras"]
                ],
            }
            for group in row["groups"]
        ],
    }


def _settings(row: sql.Row, terms: StoreTerms, items: list[dict[str, Any]]) -> dict[str, Any]:
    joining = {part.participant.name for parts in terms.parts.values() for part in parts}
    return {
        "store": row["id"],
        "slug": row["slug"],
        "currency": terms.currency,
        "exponent": money.exponent(terms.currency),
        "zone": terms.zone.key,
        "coupons": "coupons" in joining,
        "limits": {"lines": CHANNEL.limits.lines, "quantity": CHANNEL.limits.quantity},
        "modes": [_mode(mode, terms) for mode in modes_of(terms, CHANNEL)],
        "items": [item.pop("choices") for item in items],
    }


def _mode(mode: FulfillmentMode, terms: StoreTerms) -> dict[str, Any]:
    models = [mode.fields] if mode.fields is not None else []
    models += [part.participant.fields for part in terms.parts.get(mode.code, ()) if part.participant.fields]
    own = [{"name": name, "label": ASKED[name], "kind": "text"} for name, _ in mode.required_fields if name in ASKED]
    added = [
        {
            "name": name,
            "label": field.title or _words(name),
            "kind": "yes" if "bool" in str(field.annotation) else "text",
        }
        for model in models
        for name, field in model.model_fields.items()
    ]
    return {"code": mode.code, "label": mode.label, "scheduled": mode.is_scheduled, "fields": own + added}
