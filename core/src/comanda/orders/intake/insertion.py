"""Insertion of an order: its rows from the priced order, and the steps of plugins around them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final

import orjson

from comanda.basics import clock, money
from comanda.basics.errors import ValidationFailed
from comanda.basics.frozen_records import build_keyword_constructor
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.participants import DraftLine, NewOrder, Reservation, StoreTerms
from comanda.contracts.orders.sections import OrderState
from comanda.contracts.orders.status import DeliveryStatus, PaymentStatus, Status
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import sections, stock
from comanda.orders.drafts.contributions import CombinedContributions, add_reservation
from comanda.orders.drafts.draft import OrderDraft
from comanda.orders.drafts.pricing import PricedLine
from comanda.orders.events import OrderPaid
from comanda.orders.intake import placement_turns
from comanda.orders.intake.insert_statements import ORDER_PARAMETERS, PLACEMENT_PARAMETERS, OrderRows
from comanda.orders.intake.insertion_queue import insert_rows
from comanda.orders.order_json import to_extras_json, to_variation_json
from comanda.orders.participant_calls import await_step, check_answer
from comanda.orders.records import (
    Order,
    OrderLine,
    PlacementColumns,
    build_reader,
    complete,
    list_charges,
    set_promotions,
)
from comanda.orders.track_tokens import generate_track_token, hash_track_token
from comanda.platform.audit_log import entries
from comanda.platform.db import sql
from comanda.platform.events import outbox
from comanda.stores.business_days import get_day

# The field of an order that took over lines of another one.
SPLIT_FROM: Final = "split_from"
# The field of an order that names who serves it, such as ``staff:12``.
SERVED_BY: Final = "served_by"

_create_order = build_keyword_constructor(Order)
_create_line = build_keyword_constructor(OrderLine)
_read_order = build_reader(ORDER_PARAMETERS)
_read_placement = attrgetter(*PLACEMENT_PARAMETERS)


@dataclass(frozen=True, slots=True)
class OrderOrigin:
    """Where an order comes from, with the fields it has from there, and the keys that identify a repeated request."""

    customer_id: int | None
    source: str
    audience: str
    idempotency_key: str | None
    client_uuid: str | None
    body_hash: bytes | None
    attributes: Mapping[str, Any] = field(default_factory=dict)


async def insert_order(
    menu: MenuSnapshot, order: OrderBody, priced: OrderDraft, origin: OrderOrigin, *, only_this_version: bool
) -> Order:
    """Insert a priced order and return it. Emits ``OrderCreated``.

    With ``only_this_version``, raises ``MenuChanged`` if the menu has a newer version. Raises ``ValidationFailed`` if
    counted stock is too low, and asyncpg's ``UniqueViolationError`` if a key has already placed an order.
    """
    version = menu.version if only_this_version else None
    reserved: Mapping[str, Any] = {}
    if priced.needs_transaction:
        async with placement_turns.take(menu.terms, priced.parts), sql.transaction():
            inserted, reserved = await _insert_with_parts(menu.terms, order, priced, origin, version)
    else:
        inserted = await _insert_priced(menu.terms, order, priced, priced.contributions, origin, version)
    outbox.notify_dispatchers(menu.terms.id)
    await _complete_sections(inserted, priced, reserved)
    return inserted


async def _insert_priced(
    terms: StoreTerms,
    body: OrderBody,
    priced: OrderDraft,
    contributions: CombinedContributions,
    origin: OrderOrigin,
    version: int | None,
) -> Order:
    track_token = generate_track_token(terms.owner_id)
    order = build_order(terms, body, priced, contributions, origin, track_token)
    return await insert_built_order(order, build_lines(priced), origin, version)


async def insert_built_order(
    order: Order, lines: Sequence[OrderLine], origin: OrderOrigin, version: int | None = None
) -> Order:
    """Insert an order that ``build_order`` has built, and complete it; see ``OrderRows`` for the menu's version."""
    audited = entries.get_recording()
    entry = audited.record_for_statement() if audited is not None else None
    inserted = await insert_rows(build_rows(order, lines, origin, version, entry))
    if audited is not None:
        audited.mark_inserted(inserted.audit_entry_id)
    for line, line_id in zip(lines, inserted.line_ids or (), strict=True):
        complete(line, id=line_id)
    complete(order, id=inserted.id, number=inserted.number, business_date=inserted.business_date, lines=tuple(lines))
    return order


def build_rows(
    order: Order, lines: Sequence[OrderLine], origin: OrderOrigin, menu_version: int | None, entry: str | None
) -> OrderRows:
    """Return what is inserted for an order; see ``OrderRows`` for the version of the menu and the audit entry."""
    placement = PlacementColumns(
        origin.audience, origin.idempotency_key, origin.body_hash, hash_track_token(order.track_token)
    )
    return OrderRows(
        owner_id=order.owner_id,
        store_id=order.store_id,
        business_date=order.business_date,
        values=(*_read_order(order), *_read_placement(placement)),
        lines=orjson.dumps(lines).decode(),
        line_count=len(lines),
        event=_to_event_data(order),
        menu_version=menu_version,
        entry=entry,
    )


async def _insert_with_parts(
    terms: StoreTerms, order: OrderBody, priced: OrderDraft, origin: OrderOrigin, version: int | None
) -> tuple[Order, Mapping[str, Any]]:
    """Insert an order with the reservations of plugins and its stock, in this order.

    Return it with the state of each participant's reservation, by its name.
    """
    request, contributions, states = priced.request, priced.contributions, dict[str, Any]()
    for part in priced.parts:
        reservation = await await_step(part, "reserve", request)
        if reservation is not None:
            check_answer(part, reservation, Reservation, "reserve")
            states[part.participant.name] = reservation.state
            contributions = add_reservation(contributions, part, reservation)
    moved = await stock.move_stock(terms.owner_id, terms.id, stock.sum_quantities(priced.lines))
    if moved.short:
        raise to_sold_out_error(priced, moved.short)
    inserted = await _insert_priced(terms, order, priced, contributions, origin, version)
    await stock.record_changes(terms.owner_id, terms.id, moved, "order", inserted.id)
    if inserted.paid_at is not None:
        await outbox.publish(to_paid_event(inserted), owner_id=terms.owner_id, store_id=terms.id)
    new_order = _to_new_order(inserted, priced)
    for part in priced.parts:
        known = replace(new_order, reserved=states.get(part.participant.name))
        await await_step(part, "placed", request, known)
    return inserted, states


async def _complete_sections(order: Order, priced: OrderDraft, reserved: Mapping[str, Any]) -> None:
    """Set the sections of an order that is placed, with those of its lines."""
    said: Mapping[str, Mapping[int, Mapping[str, Any]]] = {}
    if any(part.participant.sections is not None for part in priced.parts):
        new_order = _to_new_order(order, priced)
        said = sections.collect_new_sections(priced.request, priced.parts, new_order, reserved)
    state = OrderState(order.type, order.status, order.delivery_status)
    found = await sections.load_new_sections(order.owner_id, order.id, state, said)
    for line in order.lines:
        complete(line, sections=found.of_line(line.id))
    complete(order, sections=found.of_order)


def _to_new_order(order: Order, priced: OrderDraft) -> NewOrder:
    return NewOrder(
        id=order.id,
        number=order.number,
        line_ids=tuple([line.id for line in order.lines]),
        total_minor=order.total_minor,
        discounts=priced.contributions.discounts,
        scheduled_for=order.scheduled_for,
        attributes=order.attributes,
    )


def to_sold_out_error(priced: OrderDraft, short: list[stock.StockKey]) -> ValidationFailed:
    """Return the error for lines whose counted stock is too low."""
    return ValidationFailed(
        {
            f"{line.path}.item_id": [Sentence("There is not enough of %(item)s left.", item=line.name)]
            for line in priced.lines
            if line.stock_key in short
        }
    )


def build_order(
    terms: StoreTerms,
    order: OrderBody,
    priced: OrderDraft,
    contributions: CombinedContributions,
    origin: OrderOrigin,
    track_token: str,
) -> Order:
    """Return the order to insert. The database assigns its ``id`` and ``number``."""
    moment = clock.now()
    quote, mode = priced.quote, priced.mode
    return _create_order(
        id=0,
        owner_id=terms.owner_id,
        store_id=terms.id,
        number=0,
        business_date=to_business_date(terms, moment),
        type=order.type,
        status=Status.NEW,
        delivery_status=DeliveryStatus.PENDING if mode is not None and mode.is_delivery else None,
        payment_status=PaymentStatus.UNPAID if quote.total_minor else PaymentStatus.PAID,
        currency=terms.currency,
        subtotal_minor=quote.subtotal_minor,
        discount_total_minor=quote.discount_total_minor,
        coupon_code=contributions.coupon_code,
        service_charge_minor=quote.service_charge_minor,
        delivery_fee_minor=quote.delivery_fee_minor,
        charges=list_charges(priced.quote, contributions.charges),
        charges_minor=sum([charge.amount_minor for charge in contributions.charges]),
        tax_total_minor=quote.tax_total_minor,
        is_tax_included=quote.is_tax_included,
        tip_minor=quote.tip_minor,
        rounding_minor=0,  # payments add to it: only what is paid in cash is rounded
        total_minor=quote.total_minor,
        paid_minor=0,
        refunded_minor=0,
        late_due_minor=0,
        taxes=quote.taxes,
        paid_at=None if quote.total_minor else moment,  # nothing is due of an order of 0.00
        customer_id=origin.customer_id,
        customer_name=order.customer_name or None,
        phone=order.phone or None,
        address=order.address or None,
        table_number=order.table_number or None,
        room_number=order.room_number or None,
        scheduled_for=contributions.scheduled_for or order.scheduled_for,
        note=order.note or None,
        source=order.source or origin.source,
        client_uuid=origin.client_uuid,
        track_token=track_token,
        timeline={"created_at": moment},
        attributes=set_promotions(
            {**contributions.attributes, **origin.attributes}, contributions.promotions, terms.currency
        ),
        given_discounts=(),
        amendments=0,
        created_at=moment,
        updated_at=moment,
    )


def to_business_date(terms: StoreTerms, moment: datetime) -> date:
    return get_day(moment, terms.zone, terms.day_start_minutes)


def build_lines(priced: OrderDraft) -> list[OrderLine]:
    """Return the lines of an order to insert. The database assigns their ids."""
    return [
        build_line(line, paid, priced.currency, position)
        for position, (line, paid) in enumerate(zip(priced.lines, priced.quote.lines, strict=True))
    ]


def build_line(line: DraftLine, paid: PricedLine, currency: str, position: int) -> OrderLine:
    """Return a line to insert, of the first round."""
    scale = 10 ** money.get_exponent(currency)
    return _create_line(
        id=0,
        position=position,
        item_id=line.item_id,
        variant_id=line.variant_id,
        name=line.name,
        quantity=line.quantity,
        unit_price_minor=line.unit_price_minor,
        price_label=line.price_label,
        variation=to_variation_json(line.variation, scale),
        extras=to_extras_json(line.extras, scale),
        note=line.note,
        discount_minor=paid.discount_minor,
        tax_minor=paid.tax_minor,
        tax_rate_ppm=line.tax_rate_ppm,
        total_minor=paid.total_minor,
        takes_stock=line.stock_key is not None,
        round=1,
        seat=line.seat,
        course=line.course,
        voided_quantity=0,
        combo=None if line.combo is None else asdict(line.combo),
    )


def to_paid_event(order: Order) -> OrderPaid:
    """Return the event of an order of which nothing is due although nothing was paid."""
    nothing = money.to_decimal_string(0, order.currency)
    return OrderPaid(
        order_id=order.id,
        restaurant_id=order.store_id,
        total=nothing,
        paid_total=nothing,
        currency=order.currency,
        payments=[],
    )


def _to_event_data(order: Order) -> str:
    """Return the payload of ``OrderCreated`` without id and number, which the statement adds."""
    data = {
        "restaurant_id": order.store_id,
        "type": order.type,
        "source": order.source,
        "status": order.status,
        "total": money.to_decimal_string(order.total_minor, order.currency),
        "currency": order.currency,
        "created_at": order.created_at,
        SPLIT_FROM: order.attributes.get(SPLIT_FROM),
    }
    return orjson.dumps(data).decode()
