"""The data for the script of a store's page: items with options in minor units, and order types. No side effects."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda import money
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.menu_items import Item, ItemVariant
from comanda.contracts.order_participants import StoreTerms
from comanda.db import sql
from comanda.orders.draft import list_modes
from comanda.web.translations import N_
from comanda.web.translations import gettext as _

from comanda_storefront.pages.formats import format_choice_rule
from comanda_storefront.pages.order_fields import list_inputs
from comanda_storefront.services.channels import STOREFRONT_CHANNEL

# The labels of core's order fields; fields of plugins describe themselves.
FIELD_LABELS: Final = {"table_number": N_("Table"), "room_number": N_("Room"), "address": N_("Address")}


def to_page_settings(row: sql.Row, terms: StoreTerms, items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the page's settings: order types, limits, and ``items`` as returned by ``to_item_options``."""
    joining = {part.participant.name for parts in terms.parts.values() for part in parts}
    return {
        "store": row["id"],
        "slug": row["slug"],
        "currency": terms.currency,
        "exponent": money.get_exponent(terms.currency),
        "zone": terms.zone.key,
        "coupons": "coupons" in joining,
        "limits": {"lines": STOREFRONT_CHANNEL.limits.lines, "quantity": STOREFRONT_CHANNEL.limits.quantity},
        "modes": [_to_mode(mode, terms) for mode in list_modes(terms, STOREFRONT_CHANNEL)],
        "items": items,
    }


def to_item_options(row: Item, variants: Sequence[ItemVariant], sold_out: set[int]) -> dict[str, Any]:
    """Return an item's variations and groups of extras, with prices in minor units."""
    return {
        "id": row.id,
        "name": row.name,
        "price": row.price_minor,
        "variations": [
            {"id": each.id, "name": each.name, "price": each.price_minor, "gone": each.id in sold_out}
            for each in variants
        ],
        "groups": [
            {
                "name": group.name,
                "rule": format_choice_rule(group),
                "min": group.min_count,
                "max": group.max_count,
                "free": group.free_count,
                "repeats": group.allows_repeats,
                "extras": [
                    {"id": each.id, "name": each.name, "price": each.price_minor, "gone": each.is_sold_out}
                    for each in group.extras
                ],
            }
            for group in row.groups
        ],
    }


def _to_mode(mode: FulfillmentMode, terms: StoreTerms) -> dict[str, Any]:
    models = [mode.fields] if mode.fields is not None else []
    models += [part.participant.fields for part in terms.parts.get(mode.code, ()) if part.participant.fields]
    own = [
        {"name": name, "label": _(FIELD_LABELS[name]), "kind": "text"}
        for name in dict(mode.required_fields)
        if name in FIELD_LABELS
    ]
    added = [_to_field(each, terms) for model in models for each in list_inputs(model)]
    return {"code": mode.code, "label": _(mode.label), "scheduled": mode.is_scheduled, "fields": own + added}


def _to_field(each: Mapping[str, Any], terms: StoreTerms) -> dict[str, Any]:
    field = {**each, "label": _(each["label"])}
    if each.get("choices"):
        field["choices"] = [
            {**choice, "label": _(str(choice.get("label", choice["value"])))} for choice in each["choices"]
        ]
    if url := each.get("choices_url"):
        field["choices_url"] = url.replace("{store}", str(terms.id))
    return field


def _translate_choice(choice: Mapping[str, Any]) -> dict[str, Any]:
    return {**choice, "label": _(str(choice.get("label", choice["value"])))}
