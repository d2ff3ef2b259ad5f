"""What the script of a store's page works from: what can be chosen, in minor units, and how it can be ordered. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from comanda import money
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.order_participants import StoreTerms
from comanda.db import sql
from comanda.orders.draft import list_modes

from comanda_storefront.channels import CHANNEL
from comanda_storefront.pages.wording import rule, words

# The fields of an order that the page asks for itself; what else a mode or a plugin wants is asked for by its name.
ASKED: Final = {"table_number": "Table", "room_number": "Room", "address": "Address"}


def settings(row: sql.Row, terms: StoreTerms, items: list[dict[str, Any]]) -> dict[str, Any]:
    """Make what the script knows of the store: how it may be ordered from, and its ``items``, from ``choices``."""
    joining = {part.participant.name for parts in terms.parts.values() for part in parts}
    return {
        "store": row["id"],
        "slug": row["slug"],
        "currency": terms.currency,
        "exponent": money.get_exponent(terms.currency),
        "zone": terms.zone.key,
        "coupons": "coupons" in joining,
        "limits": {"lines": CHANNEL.limits.lines, "quantity": CHANNEL.limits.quantity},
        "modes": [_mode(mode, terms) for mode in list_modes(terms, CHANNEL)],
        "items": items,
    }


def choices(row: Mapping[str, Any], variants: list[Any], sold_out: set[int]) -> dict[str, Any]:
    """Make an item's variations and groups, with prices in minor units."""
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


def _mode(mode: FulfillmentMode, terms: StoreTerms) -> dict[str, Any]:
    models = [mode.fields] if mode.fields is not None else []
    models += [part.participant.fields for part in terms.parts.get(mode.code, ()) if part.participant.fields]
    own = [{"name": name, "label": ASKED[name], "kind": "text"} for name, _ in mode.required_fields if name in ASKED]
    added = [
        {
            "name": name,
            "label": field.title or words(name),
            "kind": "yes" if "bool" in str(field.annotation) else "text",
        }
        for model in models
        for name, field in model.model_fields.items()
    ]
    return {"code": mode.code, "label": mode.label, "scheduled": mode.is_scheduled, "fields": own + added}
