"""The intake of orders that were bought elsewhere: placed with their prices there, or refused; nothing in between."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from comanda.basics import ComandaError, ValidationFailed, clock
from comanda.contracts import Caller, FulfillmentMode, LineBody, OrderBody, StoreTerms, validate_values
from comanda.menu import snapshot
from comanda.orders import OWNER_CHANNEL, OrderChannel, PlaceOrder, create_keys, list_modes, placement
from comanda.platform.db import sql

from comanda_foreign_orders.participant import CLAIM_FIELD, AlreadyDecided, OrderClaim
from comanda_foreign_orders.records import ForeignChannel, ForeignId, ForeignOrder, InvalidOrder, OrderedItem
from comanda_foreign_orders.services.menu_refs import MatchedItem, MenuRefs

MINUS: Final = "\N{MINUS SIGN}"
SERVER_ERROR: Final = 500
MAX_REASON: Final = 500
MAX_NOTE: Final = 2000
MIN_LEAD: Final = timedelta(minutes=1)

SELECT_STORE: Final = """
    SELECT s.menu_version, o.is_suspended FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $2
"""


async def take_order(channel: ForeignChannel, foreign: ForeignId, parse: Callable[[str], ForeignOrder]) -> str | None:
    """Place an order, and return why it is refused, or None; ``parse`` reads it in the store's currency.

    Raises what another attempt may not raise, such as the failure of a plugin.
    """
    try:
        await _place(channel, foreign, parse)
    except AlreadyDecided:
        return None
    except InvalidOrder as problem:
        return str(problem)[:MAX_REASON]
    except ValidationFailed as refusal:
        return " ".join(each for texts in refusal.errors.values() for each in texts)[:MAX_REASON]
    except ComandaError as refusal:
        if refusal.status >= SERVER_ERROR:
            raise
        return refusal.message[:MAX_REASON]
    return None


def create_caller(channel: ForeignChannel, owner_id: int, store_id: int) -> Caller:
    """Return the caller that a channel is in a store."""
    return Caller(channel.code, 0, owner_id, store_id, None, frozenset(), None)


async def _place(channel: ForeignChannel, foreign: ForeignId, parse: Callable[[str], ForeignOrder]) -> None:
    store = await sql.fetch_one(SELECT_STORE, foreign.store_id, foreign.owner_id)
    if store is None or store["is_suspended"]:
        raise InvalidOrder("The store takes no orders.")
    menu = await snapshot.get_snapshot(foreign.store_id, store["menu_version"])
    order, refs = parse(menu.terms.currency), MenuRefs(menu.items)
    caller = create_caller(channel, foreign.owner_id, foreign.store_id)
    lines = [_to_line(item, refs.match(item)) for item in order.items]
    body = _to_body(channel, order, menu.terms, lines)
    claim = OrderClaim(channel.code, foreign, caller.actor, order)
    placing = PlaceOrder(
        _to_order_channel(channel), foreign.store_id, body, create_keys(None, foreign.id.encode()), {CLAIM_FIELD: claim}
    )
    await placement.place_order(caller, placing)


def _list_required_fields(mode: FulfillmentMode, _terms: StoreTerms) -> tuple[tuple[str, str], ...]:
    """Return what an order needs: an address if it is delivered. For all else there is somebody to ask there."""
    return tuple([(name, text) for name, text in mode.required_fields if name == "address"])


def _to_order_channel(channel: ForeignChannel) -> OrderChannel:
    """Return how orders are placed. When the store takes some is up to the participant: almost every one has a time."""
    return OrderChannel(
        channel.code, channel.code, OWNER_CHANNEL.limits, guest_fields=_list_required_fields, priced_by=channel.code
    )


def _to_body(channel: ForeignChannel, order: ForeignOrder, terms: StoreTerms, lines: list[LineBody]) -> OrderBody:
    """Return the body of the order to place. Raises ``InvalidOrder`` and ``ValidationFailed``."""
    guest = order.guest
    is_later = order.expected_at is not None and order.expected_at > clock.now() + MIN_LEAD and not order.is_asap
    fields: dict[str, Any] = {
        "type": _choose_mode(channel, order, terms),
        "customer_name": guest.name or None,
        "phone": guest.phone or None,
        "scheduled_for": order.expected_at if is_later else None,
        "note": "\n".join(part for part in (order.title, order.note) if part),
        "source": channel.code,
        "items": lines,
    }
    if order.service_type == "delivery":
        fields |= {
            "address": guest.address or None,
            "address_postcode": guest.postcode or None,
            "address_instructions": guest.delivery_note or None,
        }
        if guest.position is not None:
            fields["address_lat"], fields["address_lng"] = guest.position
    elif order.service_type == "eat_in":
        fields["table_number"] = order.table_number or None
    return validate_values(OrderBody, fields)


def _choose_mode(channel: ForeignChannel, order: ForeignOrder, terms: StoreTerms) -> str:
    """Return the store's mode for a service type. Raises ``InvalidOrder``."""
    modes = [mode for mode in list_modes(terms, _to_order_channel(channel)) if not mode.is_scheduled]
    wanted = {
        "delivery": [mode for mode in modes if mode.is_delivery],
        "collection": [mode for mode in modes if mode.is_collection and not mode.required_fields],
        "eat_in": [mode for mode in modes if any(name == "table_number" for name, _ in mode.required_fields)],
    }.get(order.service_type)
    if not wanted:
        raise InvalidOrder(f"The store takes no orders of the service type {order.service_type or '-'}.")
    return wanted[0].code


def _to_line(item: OrderedItem, found: MatchedItem) -> LineBody:
    return LineBody(
        item_id=found.item_id,
        quantity=item.quantity,
        variation=found.variant_id,
        extras=list(found.extras),
        note=_to_line_note(item),
    )


def _to_line_note(item: OrderedItem) -> str | None:
    removed = [f"{MINUS} {option.name}" for option in item.options if option.is_removed]
    return "\n".join([*([item.note] if item.note else []), *removed])[:MAX_NOTE] or None
