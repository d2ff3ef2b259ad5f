"""Insertion of an order: one statement for the order, its lines, number, tally, event and audit entry."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any, Final

import orjson

from comanda import clock, money
from comanda.audit_log import entries
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.order_participants import NewOrder, Reservation, StoreTerms
from comanda.contracts.order_status import DeliveryStatus, PaymentStatus, Status
from comanda.contracts.sections import OrderState
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.events import outbox
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import sections, stock
from comanda.orders.contributions import CombinedContributions, add_reservation
from comanda.orders.draft import OrderDraft
from comanda.orders.events import OrderCreated
from comanda.orders.order_json import to_extras_json, to_variation_json
from comanda.orders.participant_calls import await_step, check_answer
from comanda.orders.records import (
    LINE_FIELDS,
    LINE_TYPES,
    ORDER_FIELDS,
    Order,
    OrderLine,
    PlacementColumns,
    build_reader,
    complete,
    list_charges,
    list_columns,
)
from comanda.orders.track_tokens import generate_track_token, hash_track_token

# The tally numbers the order, and PostgreSQL identifies it; everything else is a parameter.
ASSIGNED_VALUES: Final = {"number": "last_number", "business_date": "business_date"}
ORDER_PARAMETERS: Final = tuple(name for name in ORDER_FIELDS if name not in {"id", "number"})
PLACEMENT_PARAMETERS: Final = list_columns(PlacementColumns)
INSERTED_COLUMNS: Final = ("number", *ORDER_PARAMETERS, *PLACEMENT_PARAMETERS)
LINE_COLUMNS: Final = tuple(name for name in LINE_FIELDS if name != "id")
# The statement's parameters: the order's columns, the lines, the event's data, the menu's version, the audit entry.
PARAMETERS: Final = {
    name: f"${number}"
    for number, name in enumerate(
        (*ORDER_PARAMETERS, *PLACEMENT_PARAMETERS, "lines", "event", "menu_version", "entry"), start=1
    )
}


def _build_insert_order() -> str:
    """Return the statement that inserts an order.

    Nothing is inserted unless the menu still has the version that the order was priced from; null skips the check. The
    tally's row is locked last, so that it is held only until the commit. Its business date never goes back: an order
    priced before the day changed that waits for one priced after it would otherwise restart the numbers.
    """
    of = PARAMETERS
    values = ", ".join(ASSIGNED_VALUES.get(name) or of[name] for name in INSERTED_COLUMNS)
    return f"""
    WITH store AS (
        SELECT id FROM core_store
        WHERE id = {of["store_id"]} AND owner_id = {of["owner_id"]}
          AND ({of["menu_version"]}::bigint IS NULL OR menu_version = {of["menu_version"]})),
    tally AS (
        INSERT INTO core_order_tally AS t (store_id, owner_id, business_date, last_number, new)
        SELECT id, {of["owner_id"]}, {of["business_date"]}, 1, 1 FROM store
        ON CONFLICT (store_id, owner_id) DO UPDATE SET
            last_number = CASE WHEN t.business_date >= EXCLUDED.business_date THEN t.last_number + 1 ELSE 1 END,
            business_date = greatest(t.business_date, EXCLUDED.business_date), new = t.new + 1
        RETURNING last_number, business_date),
    placed AS (
        INSERT INTO core_order ({", ".join(INSERTED_COLUMNS)})
        SELECT {values} FROM tally
        RETURNING id, number, business_date),
    lines AS (
        INSERT INTO core_order_line (owner_id, order_id, {", ".join(LINE_COLUMNS)})
        SELECT {of["owner_id"]}, placed.id, {", ".join(f"l.{name}" for name in LINE_COLUMNS)}
        FROM placed, jsonb_to_recordset({of["lines"]}::jsonb) AS l ({LINE_TYPES})
        RETURNING id, position),
    event AS (
        INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
        SELECT {of["owner_id"]}, {of["store_id"]}, '{OrderCreated.name}',
            jsonb_build_object('order_id', placed.id, 'number', placed.number) || {of["event"]}::jsonb,
            {of["created_at"]}, now()
        FROM placed),
    entry AS (
        INSERT INTO core_audit_entry (owner_id, occurred_at, store_id, after_ids, outcome, {entries.COLUMNS})
        SELECT {of["owner_id"]}, {of["created_at"]}, {of["store_id"]},
            e.before_ids || jsonb_build_object('restaurant_id', {of["store_id"]}::bigint, 'id', placed.id),
            '{entries.OUTCOME_OK}', {entries.COLUMNS}
        FROM placed, jsonb_to_record({of["entry"]}::jsonb) AS e {entries.RECORD_TYPE}
        WHERE {of["entry"]}::jsonb IS NOT NULL
        RETURNING id)
    SELECT placed.id, placed.number, placed.business_date,
        (SELECT array_agg(id ORDER BY position) FROM lines) AS line_ids, (SELECT id FROM entry) AS audit_entry_id
    FROM placed
"""


INSERT_ORDER: Final = _build_insert_order()

_read_order = build_reader(ORDER_PARAMETERS)
_read_placement = attrgetter(*PLACEMENT_PARAMETERS)


@dataclass(frozen=True, slots=True)
class OrderOrigin:
    """Where an order comes from, and the keys by which a repeated request finds it."""

    customer_id: int | None
    source: str
    audience: str
    idempotency_key: str | None
    client_uuid: str | None
    body_hash: bytes | None


class MenuChanged(Exception):
    """The menu has changed since the order was priced; nothing was written."""


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
        async with sql.transaction():
            inserted, reserved = await _insert_with_parts(menu.terms, order, priced, origin, version)
    else:
        inserted = await _insert_rows(menu.terms, order, priced, priced.contributions, origin, version)
    outbox.notify_dispatchers()
    await _complete_sections(inserted, priced, reserved)
    return inserted


async def _insert_rows(
    terms: StoreTerms,
    body: OrderBody,
    priced: OrderDraft,
    contributions: CombinedContributions,
    origin: OrderOrigin,
    version: int | None,
) -> Order:
    track_token = generate_track_token(terms.owner_id)
    order = _to_order(terms, body, priced, contributions, origin, track_token)
    placement = PlacementColumns(
        origin.audience, origin.idempotency_key, origin.body_hash, hash_track_token(track_token)
    )
    lines = _to_lines(priced)
    audited = entries.get_recording()
    entry = audited.record_for_statement() if audited is not None else None
    values = (*_read_order(order), *_read_placement(placement))
    inserted = await sql.fetch_one(
        INSERT_ORDER, *values, orjson.dumps(lines).decode(), _to_event_data(order), version, entry
    )
    if inserted is None:
        raise MenuChanged
    if audited is not None:
        audited.mark_inserted(inserted["audit_entry_id"])
    for line, line_id in zip(lines, inserted["line_ids"], strict=True):
        complete(line, id=line_id)
    complete(
        order,
        id=inserted["id"],
        number=inserted["number"],
        business_date=inserted["business_date"],
        lines=tuple(lines),
    )
    return order


async def _insert_with_parts(
    terms: StoreTerms, order: OrderBody, priced: OrderDraft, origin: OrderOrigin, version: int | None
) -> tuple[Order, Mapping[str, Any]]:
    """Insert an order with the reservations of plugins and its stock, in this order.

    Return it with the state of each participant's reservation, by its name.
    """
    request, contributions, states = priced.request, priced.contributions, dict[str, Any]()
    for part in priced.parts:
        if part.participant.reserve is not None:
            reservation = await await_step(part, part.participant.reserve(request, part.loaded))
            if reservation is not None:
                check_answer(part, reservation, Reservation, "reserve")
                states[part.participant.name] = reservation.state
                contributions = add_reservation(contributions, part, reservation)
    moved = await stock.move_stock(terms.owner_id, terms.id, stock.sum_quantities(priced.lines))
    if moved.short:
        raise _to_sold_out_error(priced, moved.short)
    inserted = await _insert_rows(terms, order, priced, contributions, origin, version)
    await stock.record_changes(terms.owner_id, terms.id, moved, "order", inserted.id)
    new_order = _to_new_order(inserted, priced)
    for part in priced.parts:
        if part.participant.placed is not None:
            known = replace(new_order, reserved=states.get(part.participant.name))
            await await_step(part, part.participant.placed(request, part.loaded, known))
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


def _to_sold_out_error(priced: OrderDraft, short: list[stock.StockKey]) -> ValidationFailed:
    return ValidationFailed(
        {
            f"items.{line.position}.item_id": [f"There is not enough of {line.name} left."]
            for line in priced.lines
            if line.stock_key in short
        }
    )


def _to_order(
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
    return Order(
        id=0,
        owner_id=terms.owner_id,
        store_id=terms.id,
        number=0,
        business_date=to_business_date(terms, moment),
        type=order.type,
        status=Status.NEW,
        delivery_status=DeliveryStatus.PENDING if mode is not None and mode.is_delivery else None,
        payment_status=PaymentStatus.UNPAID,
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
        rounding_minor=0,  # payments round: only what is paid in cash is rounded
        total_minor=quote.total_minor,
        paid_minor=0,
        refunded_minor=0,
        late_due_minor=0,
        paid_at=None,
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
        attributes=dict(contributions.attributes),
        created_at=moment,
        updated_at=moment,
    )


def to_business_date(terms: StoreTerms, moment: datetime) -> date:
    """Return the business date of a moment: the store's local day, which starts at ``day_start_minutes``."""
    return (moment.astimezone(terms.zone) - timedelta(minutes=terms.day_start_minutes)).date()


def _to_lines(priced: OrderDraft) -> list[OrderLine]:
    scale = 10 ** money.get_exponent(priced.currency)
    return [
        OrderLine(
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
        )
        for position, (line, paid) in enumerate(zip(priced.lines, priced.quote.lines, strict=True))
    ]


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
    }
    return orjson.dumps(data).decode()
