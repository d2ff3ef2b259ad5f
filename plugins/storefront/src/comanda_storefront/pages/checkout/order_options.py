"""The data for the script of a store's page: items in minor units, and order types. No side effects."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import (
    FulfillmentMode,
    Item,
    ItemVariant,
    OfferedItem,
    OrderParticipant,
    StoreTerms,
    VerticalGroup,
)
from comanda.orders import list_modes
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import N_, has_lists, list_inputs, translate_input
from comanda.web import gettext as _

from comanda_storefront import store_settings
from comanda_storefront.pages.checkout.order_times import can_order_ahead
from comanda_storefront.pages.formats import format_choice_rule
from comanda_storefront.services.page_channel import PAGE_CHANNEL

# The labels of core's order fields; fields of plugins describe themselves.
FIELD_LABELS: Final = {"table_number": N_("Table"), "room_number": N_("Room"), "address": N_("Address")}
# Asked of every order, and required by some modes.
CONTACT_FIELDS: Final = ("customer_name", "phone")
LAST_PIECES: Final = 3


def to_page_settings(
    row: sql.Row, terms: StoreTerms, items: list[dict[str, Any]], item_fields: Collection[str] = ()
) -> dict[str, Any]:
    """Return the page's settings: order types, limits, and ``items`` as returned by ``to_item_options``.

    ``item_fields`` are the fields of item capabilities of which some item of the menu has a value.
    """
    joining = {part.participant.name for parts in terms.parts.values() for part in parts}
    settings = store_settings.get_settings(terms)
    kinds = runtime.registry().caller_kinds.values()
    return {
        "store": row["id"],
        "slug": row["slug"],
        "currency": terms.currency,
        "exponent": money.get_exponent(terms.currency),
        "zone": terms.zone.key,
        "coupons": "coupons" in joining,
        "accounts": any(kind.is_customer for kind in kinds),
        "assistants": any(kind.is_customer and kind.acts_as for kind in kinds),
        "loyalty": _has_programme(terms),
        "tips": settings.offers_tips and _is_restaurant(terms),
        "limits": {"lines": PAGE_CHANNEL.limits.lines, "quantity": PAGE_CHANNEL.limits.quantity},
        "modes": [
            _to_mode(mode, terms, item_fields, is_for_later=settings.order_ahead_days > 0)
            for mode in list_modes(terms, PAGE_CHANNEL)
        ],
        "items": items,
    }


def price_required_choices(item: OfferedItem) -> int:
    """Return what the choices of a combo add to its price at least: nothing if the price includes some of each step."""
    if not item.is_combo:
        return 0
    total = 0
    for group in item.groups:
        prices = sorted(extra.price_minor for extra in group.extras if not extra.is_sold_out)[: group.min_count]
        total += sum(prices[group.free_count :])
    return total


def to_item_options(row: OfferedItem, variants: Sequence[ItemVariant], _sold_out: set[int]) -> dict[str, Any]:
    """Return what the page knows of an item before its dialog is opened; ``price`` is that of the cheapest variant."""
    lowest = min((variant.price_minor for variant in variants), default=row.price_minor)
    found: dict[str, Any] = {"id": row.id, "name": row.name, "price": lowest + price_required_choices(row)}
    if row.groups or len(variants) > 1:
        return {**found, "choices": True}
    # A single variant is no choice.
    return {**found, "variation": variants[0].id, "details": variants[0].name} if variants else found


def to_choices(item: Item, variation_facts: Mapping[int, str], extra_facts: Mapping[int, str]) -> dict[str, Any]:
    """Return an item's variations and groups of extras, with prices in minor units; facts are by their ids."""
    return {
        "variations": [
            {
                "id": each.id,
                "name": each.name,
                "price": each.price_minor,
                "gone": item.is_used_up(each.stock),
                "options": dict(each.options),
                "left": _get_last_pieces(item, each.stock),
                **_to_facts(each.id, variation_facts),
            }
            for each in item.variants
            if each.is_active
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
                    {
                        "id": each.id,
                        "name": each.name,
                        "price": each.price_minor,
                        "gone": each.is_sold_out,
                        **_to_facts(each.id, extra_facts),
                    }
                    for each in group.extras
                ],
            }
            for group in item.groups
        ],
    }


def _to_facts(choice_id: int, facts: Mapping[int, str]) -> dict[str, str]:
    return {"facts": facts[choice_id]} if choice_id in facts else {}


def _has_programme(terms: StoreTerms) -> bool:
    """Return whether customers collect points, which the plugin of these has loaded with the menu."""
    parts = (part for joined in terms.parts.values() for part in joined if part.participant.name == "loyalty")
    return any(part.loaded is not None and part.loaded.is_on for part in parts)


def _is_restaurant(terms: StoreTerms) -> bool:
    return terms.vertical is not None and terms.vertical.group is VerticalGroup.FOOD


def _to_mode(
    mode: FulfillmentMode, terms: StoreTerms, item_fields: Collection[str], *, is_for_later: bool
) -> dict[str, Any]:
    models = [mode.fields] if mode.fields is not None else []
    parts = [part.participant for part in terms.parts.get(mode.code, ())]
    models += [part.fields for part in parts if part.fields is not None and _is_asked(part, item_fields)]
    required = dict(PAGE_CHANNEL.list_required_fields(mode, terms))
    own = [
        {"name": name, "label": _(FIELD_LABELS[name]), "kind": "text", "required": True}
        for name in required
        if name in FIELD_LABELS
    ]
    added = [_to_field(each, terms, required) for model in models for each in list_inputs(model)]
    known = {field["name"] for field in added}
    return {
        "code": mode.code,
        "label": _(mode.label),
        "scheduled": mode.is_scheduled,
        "ahead": is_for_later and can_order_ahead(mode.code),
        "delivery": mode.is_delivery,
        "required": [name for name in CONTACT_FIELDS if name in required],
        "fields": [field for field in own if field["name"] not in known] + added,
    }


def _is_asked(part: OrderParticipant, item_fields: Collection[str]) -> bool:
    """Return whether guests are asked for the fields of a participant.

    Lists of what items have to be are asked only where an item says something about it.
    """
    capability = runtime.registry().item_capabilities.get(part.capability or "")
    if capability is None or part.fields is None:
        return True
    return not has_lists(part.fields) or not capability.fields.model_fields.keys().isdisjoint(item_fields)


def _to_field(each: Mapping[str, Any], terms: StoreTerms, required: Mapping[str, str]) -> dict[str, Any]:
    field = translate_input(each, terms.id)
    return {**field, "required": True} if each["name"] in required else field


def _get_last_pieces(item: Item, stock: int | None) -> int | None:
    """Return how many pieces are left if they are few; the stock of a shop is nobody else's business."""
    if stock is None or item.allow_backorder or not 0 < stock <= LAST_PIECES:
        return None
    return stock
