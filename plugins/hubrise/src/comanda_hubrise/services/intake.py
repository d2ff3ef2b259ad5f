"""The intake of an order of HubRise: placed with its prices there, or rejected with a reason; nothing in between."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from comanda.basics import ComandaError, ValidationFailed, clock
from comanda.contracts import Caller, FulfillmentMode, LineBody, OrderBody, StoreTerms, validate_values
from comanda.menu import snapshot
from comanda.orders import OWNER_CHANNEL, OrderChannel, PlaceOrder, create_keys, list_modes, placement
from comanda.platform.db import sql

from comanda_hubrise.models import LinkState
from comanda_hubrise.participant import CLAIM_FIELD, AlreadyDecided, OrderClaim
from comanda_hubrise.records import KnownConnection, KnownLink
from comanda_hubrise.services.documents.menu_refs import MatchedItem, MenuRefs
from comanda_hubrise.services.documents.orders import (
    InvalidOrder,
    OrderDocument,
    OrderedItem,
    get_status,
    get_summary,
    parse_order,
)

SOURCE: Final = "hubrise"
# The statuses of an order that nobody has taken yet.
OPEN_STATUSES: Final = frozenset({"new", "received"})
MINUS: Final = "\N{MINUS SIGN}"
SERVER_ERROR: Final = 500
MAX_REASON: Final = 500
MAX_NOTE: Final = 2000
MIN_LEAD: Final = timedelta(minutes=1)

SELECT_STORE: Final = """
    SELECT s.menu_version, o.is_suspended FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $2
"""
SAVE_SUMMARY: Final = """
    UPDATE hubrise_order SET channel = nullif($3, ''), ref = nullif($4, ''), total = nullif($5, ''), seen_status = $6
    WHERE owner_id = $1 AND id = $2
"""
DECIDE: Final = f"""
    UPDATE hubrise_order SET state = $3, reason = $4
    WHERE owner_id = $1 AND id = $2 AND state = '{LinkState.WAITING}'
"""


async def decide(connection: KnownConnection, link: KnownLink, document: Mapping[str, Any]) -> None:
    """Place an order that nobody has taken yet, or reject it; one that somebody has taken is ignored.

    Raises what another attempt may not raise, such as the failure of a plugin.
    """
    status = get_status(document)
    await sql.execute(SAVE_SUMMARY, link.owner_id, link.id, *get_summary(document), status)
    if status not in OPEN_STATUSES:
        await _save(link, LinkState.IGNORED, f"HubRise had it as {status or 'unknown'} already.")
        return
    try:
        await _place(connection, link, document)
    except AlreadyDecided:
        return
    except InvalidOrder as problem:
        await _save(link, LinkState.REJECTED, str(problem))
    except ValidationFailed as refusal:
        await _save(link, LinkState.REJECTED, " ".join(text for texts in refusal.errors.values() for text in texts))
    except ComandaError as refusal:
        if refusal.status >= SERVER_ERROR:
            raise
        await _save(link, LinkState.REJECTED, refusal.message)


async def _place(connection: KnownConnection, link: KnownLink, document: Mapping[str, Any]) -> None:
    store = await sql.fetch_one(SELECT_STORE, link.store_id, link.owner_id)
    if store is None or store["is_suspended"]:
        raise InvalidOrder("The store takes no orders.")
    menu = await snapshot.get_snapshot(link.store_id, store["menu_version"])
    order = parse_order(document, menu.terms.currency)
    refs = MenuRefs(menu.items)
    caller = Caller(SOURCE, 0, link.owner_id, link.store_id, None, frozenset(), None)
    matched = [(item, refs.match(item)) for item in order.items]
    body = _to_body(order, menu.terms, [_to_line(item, found) for item, found in matched])
    claim = OrderClaim(
        link_id=link.id,
        hubrise_id=link.hubrise_id,
        actor=caller.actor,
        unit_prices_minor=tuple([item.unit_price_minor for item in order.items]),
        fees=order.fees,
        reductions=order.reductions,
        total_minor=order.total_minor,
        paid_minor=_sum_collected(order, connection.cash_refs),
        attributes={"id": link.hubrise_id, "channel": order.created_by, "ref": order.ref, "code": order.code},
    )
    keys = create_keys(None, link.hubrise_id.encode())
    await placement.place_order(caller, PlaceOrder(CHANNEL, link.store_id, body, keys, {CLAIM_FIELD: claim}))


async def _save(link: KnownLink, state: LinkState, reason: str) -> None:
    await sql.execute(DECIDE, link.owner_id, link.id, state, reason[:MAX_REASON])


def _list_required_fields(mode: FulfillmentMode, _terms: StoreTerms) -> tuple[tuple[str, str], ...]:
    """Return what an order needs: an address if it is delivered. For all else there is somebody at HubRise to ask."""
    return tuple([(name, text) for name, text in mode.required_fields if name == "address"])


# Whether the store takes orders at a time is up to the participant: HubRise names a time for almost every order.
CHANNEL: Final = OrderChannel(
    SOURCE, SOURCE, OWNER_CHANNEL.limits, guest_fields=_list_required_fields, priced_by=SOURCE
)


def _to_body(order: OrderDocument, terms: StoreTerms, lines: list[LineBody]) -> OrderBody:
    """Return the body of the order to place. Raises ``InvalidOrder`` and ``ValidationFailed``."""
    guest = order.guest
    is_later = order.expected_at is not None and order.expected_at > clock.now() + MIN_LEAD and not order.is_asap
    fields: dict[str, Any] = {
        "type": _choose_mode(order, terms),
        "customer_name": guest.name or None,
        "phone": guest.phone or None,
        "scheduled_for": order.expected_at if is_later else None,
        "note": "\n".join(part for part in (_to_title(order), order.note) if part),
        "source": SOURCE,
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


def _choose_mode(order: OrderDocument, terms: StoreTerms) -> str:
    """Return the store's mode for a service type of HubRise. Raises ``InvalidOrder``."""
    modes = [mode for mode in list_modes(terms, CHANNEL) if not mode.is_scheduled]
    wanted = {
        "delivery": [mode for mode in modes if mode.is_delivery],
        "collection": [mode for mode in modes if mode.is_collection and not mode.required_fields],
        "eat_in": [mode for mode in modes if any(name == "table_number" for name, _ in mode.required_fields)],
    }.get(order.service_type)
    if not wanted:
        raise InvalidOrder(f"The store takes no orders of the service type {order.service_type or '-'}.")
    return wanted[0].code


def _to_title(order: OrderDocument) -> str:
    """Return what people at the store call the order, such as ``Uber Eats 4F2A``."""
    return " ".join(part for part in (order.created_by, order.code or order.ref) if part)


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


def _sum_collected(order: OrderDocument, cash_refs: tuple[str, ...]) -> int:
    """Return what was collected: all payments but those in cash, which the store or its driver collects."""
    due = {"cash", *(ref.casefold() for ref in cash_refs)}
    return max(0, sum(amount_minor for names, amount_minor in order.payments if not names & due))
