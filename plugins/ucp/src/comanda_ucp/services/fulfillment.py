"""Fulfillment: the order types of a store as pickup and shipping, with the one that an agent has chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from comanda.contracts import FulfillmentMode, StoreTerms
from comanda.orders import Order, OrderCharge, Quote, list_modes
from comanda.web import gettext as _
from comanda_storefront.api import AGENT_CHANNEL, PAGE_CHANNEL

from comanda_ucp.services.envelopes import create_message
from comanda_ucp.services.sessions import FulfillmentChoice
from comanda_ucp.services.stores import UcpStore

PICKUP: Final = "pickup"
SHIPPING: Final = "shipping"
# The charge of stores that send orders by a carrier.
SHIPPING_CHARGE: Final = "shipping"
# Only guests who are there can name these.
PLACES: Final = frozenset({"table_number", "room_number"})
METHOD_ID: Final = "method_1"
GROUP_ID: Final = "group_1"
STORE_ID: Final = "store"
OPTION_PATH: Final = "$.fulfillment.methods[0].groups[0].selected_option_id"
MAX_ADDRESS: Final = 500


def is_for_agents(mode: FulfillmentMode, terms: StoreTerms) -> bool:
    """Return whether agents can fill carts of an order type: one that guests fetch or have sent."""
    return PAGE_CHANNEL.has(mode, terms) and not mode.is_scheduled and _get_type(mode) is not None


# What agents fill is what guests would order on the page, at the prices for agents.
UCP_CHANNEL: Final = replace(
    PAGE_CHANNEL, source=AGENT_CHANNEL.source, price_channel=AGENT_CHANNEL.price_channel, offers=is_for_agents
)


@dataclass(frozen=True, slots=True)
class Fulfillment:
    """The order types of the method that an agent wants, and the one that a cart is priced in.

    It is the chosen one if it ``is_chosen``, else the one that costs nothing, as far as there is one.
    """

    type: str
    modes: Sequence[FulfillmentMode]
    code: str
    is_chosen: bool


def resolve_fulfillment(terms: StoreTerms, choice: FulfillmentChoice) -> Fulfillment:
    """Return the order type of a choice; without one, the first that guests fetch."""
    modes: dict[str, list[FulfillmentMode]] = {PICKUP: [], SHIPPING: []}
    for mode in list_modes(terms, UCP_CHANNEL):
        modes[_get_type(mode) or PICKUP].append(mode)
    wanted = choice.type or (PICKUP if modes[PICKUP] else SHIPPING)
    found = modes[wanted]
    chosen = next((mode for mode in found if mode.code == choice.option_id), None)
    if chosen is None and found and (wanted == PICKUP or len(found) == 1):
        chosen = found[0]
    if chosen is not None:
        return Fulfillment(wanted, found, chosen.code, is_chosen=True)
    others = [*modes[PICKUP], *modes[SHIPPING], *list_modes(terms, PAGE_CHANNEL)]
    # A store without any order type sells nothing; its carts have the name of one that it does not have.
    return Fulfillment(wanted, found, others[0].code if others else PICKUP, is_chosen=False)


def get_fulfillment_minor(figures: Quote | Order, charges: Sequence[OrderCharge]) -> int:
    """Return what it costs that an order reaches its buyer."""
    return figures.delivery_fee_minor + sum(each.amount_minor for each in charges if each.code == SHIPPING_CHARGE)


def format_address(destination: Mapping[str, str]) -> str:
    """Return a destination in one line, as stores read it."""
    town = " ".join(filter(None, (destination.get("postal_code"), destination.get("address_locality"))))
    parts = (
        destination.get("street_address"),
        destination.get("extended_address"),
        town,
        destination.get("address_region"),
        destination.get("address_country"),
    )
    return ", ".join(filter(None, parts))[:MAX_ADDRESS]


def list_fulfillment_errors(fulfillment: Fulfillment) -> list[Mapping[str, str]]:
    """Return what is missing of a choice, as messages."""
    if fulfillment.is_chosen:
        return []
    if fulfillment.modes:
        text = "Choose one of the options."
        return [create_message("field_required", text, "recoverable", OPTION_PATH)]
    text = f"This store has no {fulfillment.type} for this order that agents can choose."
    return [create_message("fulfillment_unavailable", text, "requires_buyer_input", "$.fulfillment.methods[0].type")]


def describe_fulfillment(
    store: UcpStore,
    choice: FulfillmentChoice,
    fulfillment: Fulfillment,
    prices: Mapping[str, int],
    line_ids: Sequence[str],
) -> Mapping[str, object]:
    """Return the method with its options, which have the codes of order types; ``prices`` are by these."""
    options = [
        {"id": mode.code, "title": _(mode.label), "totals": [{"type": "total", "amount": prices.get(mode.code, 0)}]}
        for mode in fulfillment.modes
    ]
    group = {"id": GROUP_ID, "line_item_ids": list(line_ids), "options": options}
    method: dict[str, object] = {"id": METHOD_ID, "type": fulfillment.type, "line_item_ids": list(line_ids)}
    if fulfillment.type == PICKUP:
        address = {"address": {"street_address": store.address}} if store.address else {}
        destinations: list[Mapping[str, object]] = [{"id": STORE_ID, "name": store.menu.terms.title, **address}]
        selected: str | None = STORE_ID
    else:
        destinations, selected = [*choice.destinations], choice.destination_id
    method["destinations"] = destinations
    if selected is not None:
        method["selected_destination_id"] = selected
    if fulfillment.is_chosen:
        group["selected_option_id"] = fulfillment.code
    return {"methods": [{**method, "groups": [group]}]}


def _get_type(mode: FulfillmentMode) -> str | None:
    """Return the type of method that an order type is, or None for one that is no such method."""
    names = {name for name, _sentence in mode.required_fields + mode.guest_fields}
    if names & PLACES:
        return None
    if "address" in names:
        return SHIPPING
    return PICKUP if mode.is_collection else None
