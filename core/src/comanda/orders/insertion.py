"""Insertion of an order: one statement for the order, its lines, number, tally, event and audit entry."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

import orjson

from comanda import clock, money
from comanda.audit_log import entries
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.order_participants import StoreTerms
from comanda.contracts.order_status import DeliveryStatus, PaymentStatus, Status
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.events import outbox
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import sections, stock
from comanda.orders.draft import OrderDraft
from comanda.orders.events import OrderCreated
from comanda.orders.records import to_order_record

# Nothing is inserted unless the menu still has the version that the order was priced from ($37; null skips the check).
# The tally's row is locked last, so that it is held only until the commit. Its business date never goes back: an order
# priced before the day changed that waits for one priced after it would otherwise restart the numbers.
INSERT_ORDER = f"""
    WITH store AS (
        SELECT id FROM core_store
        WHERE id = $2 AND owner_id = $1 AND ($37::bigint IS NULL OR menu_version = $37)),
    tally AS (
        INSERT INTO core_order_tally AS t (store_id, owner_id, business_date, last_number, new)
        SELECT id, $1, $3, 1, 1 FROM store
        ON CONFLICT (store_id, owner_id) DO UPDATE SET
            last_number = CASE WHEN t.business_date >= EXCLUDED.business_date THEN t.last_number + 1 ELSE 1 END,
            business_date = greatest(t.business_date, EXCLUDED.business_date), new = t.new + 1
        RETURNING last_number, business_date),
    placed AS (
        INSERT INTO core_order (
            owner_id, store_id, number, business_date, type, status, delivery_status, payment_status, currency,
            subtotal_minor, discount_total_minor, service_charge_minor, delivery_fee_minor, tax_total_minor,
            is_tax_included, tip_minor, rounding_minor, total_minor, coupon_code, customer_id, customer_name, phone,
            address, table_number, room_number, scheduled_for, note, source, audience, idempotency_key, client_uuid,
            body_hash, track_token, track_hash, timeline, attributes, created_at, updated_at)
        SELECT $1, $2, last_number, business_date, $4, '{Status.NEW}', $5, '{PaymentStatus.UNPAID}', $6, $7, $8, $9,
            $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28,
            $29, $30, $31, $32, $33, $34, $34
        FROM tally
        RETURNING id, number, business_date),
    lines AS (
        INSERT INTO core_order_line (
            owner_id, order_id, position, item_id, variant_id, name, quantity, unit_price_minor, variation, extras,
            note, discount_minor, tax_minor, tax_rate_ppm, total_minor, takes_stock)
        SELECT $1, placed.id, l.position, l.item_id, l.variant_id, l.name, l.quantity, l.unit_price_minor, l.variation,
            l.extras, l.note, l.discount_minor, l.tax_minor, l.tax_rate_ppm, l.total_minor, l.takes_stock
        FROM placed, jsonb_to_recordset($35::jsonb) AS l (
            position smallint, item_id bigint, variant_id bigint, name text, quantity int, unit_price_minor bigint,
            variation jsonb, extras jsonb, note text, discount_minor bigint, tax_minor bigint, tax_rate_ppm int,
            total_minor bigint, takes_stock boolean)
        RETURNING id, position),
    event AS (
        INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
        SELECT $1, $2, '{OrderCreated.name}',
            jsonb_build_object('order_id', placed.id, 'number', placed.number) || $36::jsonb, $34, now()
        FROM placed),
    entry AS (
        INSERT INTO core_audit_entry (owner_id, occurred_at, store_id, after_ids, outcome, {entries.COLUMNS})
        SELECT $1, $34, $2, e.before_ids || jsonb_build_object('restaurant_id', $2::bigint, 'id', placed.id),
            '{entries.OUTCOME_OK}', {entries.COLUMNS}
        FROM placed, jsonb_to_record($38::jsonb) AS e {entries.RECORD_TYPE} WHERE $38::jsonb IS NOT NULL
        RETURNING id)
    SELECT placed.id, placed.number, placed.business_date,
        (SELECT array_agg(id ORDER BY position) FROM lines) AS line_ids, (SELECT id FROM entry) AS audit_entry_id
    FROM placed
"""

# Values of every new order that are not parameters of the statement.
NEW_ORDER_STATE = {
    "status": Status.NEW.value,
    "payment_status": PaymentStatus.UNPAID.value,
    "paid_minor": 0,
    "refunded_minor": 0,
    "paid_at": None,
}


class MenuChanged(Exception):
    """The menu has changed since the order was priced; nothing was written."""


async def insert_order(
    menu: MenuSnapshot, order: OrderBody, priced: OrderDraft, identity: Mapping[str, Any], *, only_this_version: bool
) -> dict[str, Any]:
    """Insert a priced order and return its record. Emits ``OrderCreated``.

    ``identity`` holds the columns for its origin and idempotency keys. With ``only_this_version``, raises
    ``MenuChanged`` if the menu has a newer version. Raises ``ValidationFailed`` if counted stock is too low, and
    asyncpg's ``UniqueViolationError`` if a key has already placed an order.
    """
    version = menu.version if only_this_version else None
    if priced.needs_transaction:
        async with sql.transaction():
            record = await _insert_with_parts(menu.terms, order, priced, identity, version)
    else:
        record = await _insert_rows(_to_columns(menu.terms, order, priced, identity), priced, version)
    outbox.notify_dispatchers()
    return record


async def _insert_rows(row: Mapping[str, Any], priced: OrderDraft, version: int | None) -> dict[str, Any]:
    lines = _to_lines(priced)
    audited = entries.get_recording()
    entry = audited.record_for_statement() if audited is not None else None
    values = (*row.values(), orjson.dumps(lines).decode(), _to_event_data(row), version, entry)
    inserted = await sql.fetch_one(INSERT_ORDER, *values)
    if inserted is None:
        raise MenuChanged
    if audited is not None:
        audited.mark_inserted(inserted["audit_entry_id"])
    line_ids: list[int] = inserted["line_ids"]
    inserted_lines = [{**line, "id": line_id} for line, line_id in zip(lines, line_ids, strict=True)]
    assigned = {name: inserted[name] for name in ("id", "number", "business_date")}
    order = {**row, **NEW_ORDER_STATE, **assigned, "updated_at": row["created_at"]}
    record = sections.set_defaults(
        to_order_record(order, inserted_lines, {"created_at": row["created_at"].isoformat()})
    )
    for part in priced.parts:
        if part.participant.lines is not None:
            priced.order_request.loaded = part.loaded
            for line, fields in zip(record["items"], part.participant.lines(priced.order_request), strict=True):
                line.update(fields)
    return record


async def _insert_with_parts(
    terms: StoreTerms, order: OrderBody, priced: OrderDraft, identity: Mapping[str, Any], version: int | None
) -> dict[str, Any]:
    """Insert an order with the reservations of plugins and its stock, in this order."""
    order_request = priced.order_request
    for part in priced.parts:
        if part.participant.reserve is not None:
            order_request.loaded = part.loaded
            await part.participant.reserve(order_request)
    moved = await stock.move_stock(terms.owner_id, terms.id, stock.sum_quantities(priced.lines))
    if moved.short:
        raise _to_sold_out_error(priced, moved.short)
    record = await _insert_rows(_to_columns(terms, order, priced, identity), priced, version)
    await stock.record_changes(terms.owner_id, terms.id, moved, "order", record["id"])
    order_request.total_minor = priced.quote.total_minor
    for part in priced.parts:
        if part.participant.placed is not None:
            order_request.loaded = part.loaded
            await part.participant.placed(order_request, record["id"])
    return record


def _to_sold_out_error(priced: OrderDraft, short: list[stock.StockKey]) -> ValidationFailed:
    return ValidationFailed(
        {
            f"items.{position}.item_id": [f"There is not enough of {line.name} left."]
            for position, line in enumerate(priced.lines)
            if line.stock_key in short
        }
    )


def _to_columns(terms: StoreTerms, order: OrderBody, priced: OrderDraft, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order's columns in the order of the statement's parameters."""
    moment = clock.now()
    quote = priced.quote
    attributes = priced.order_request.attributes
    track_token = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    return {
        "owner_id": terms.owner_id,
        "store_id": terms.id,
        "business_date": to_business_date(terms, moment),
        "type": order.type,
        "delivery_status": DeliveryStatus.PENDING.value if priced.mode.is_delivery else None,
        "currency": terms.currency,
        "subtotal_minor": quote.subtotal_minor,
        "discount_total_minor": quote.discount_total_minor,
        "service_charge_minor": quote.service_charge_minor,
        "delivery_fee_minor": quote.delivery_fee_minor,
        "tax_total_minor": quote.tax_total_minor,
        "is_tax_included": quote.is_tax_included,
        "tip_minor": quote.tip_minor,
        "rounding_minor": 0,  # payments round: only what is paid in cash is rounded
        "total_minor": quote.total_minor,
        "coupon_code": priced.order_request.coupon_code,
        "customer_id": identity["customer_id"],
        "customer_name": order.customer_name or None,
        "phone": order.phone or None,
        "address": order.address or None,
        "table_number": order.table_number or None,
        "room_number": order.room_number or None,
        "scheduled_for": priced.order_request.scheduled_for,
        "note": order.note or None,
        "source": order.source or identity["source"],
        "audience": identity["audience"],
        "idempotency_key": identity["idempotency_key"],
        "client_uuid": identity["client_uuid"],
        "body_hash": identity["body_hash"],
        "track_token": track_token,
        "track_hash": hashlib.sha256(track_token.encode()).digest(),
        "timeline": orjson.dumps({"created_at": moment}).decode(),
        "attributes": orjson.dumps(attributes).decode() if attributes else None,
        "created_at": moment,
    }


def to_business_date(terms: StoreTerms, moment: datetime) -> date:
    """Return the business date of a moment: the store's local day, which starts at ``day_start_minutes``."""
    return (moment.astimezone(terms.zone) - timedelta(minutes=terms.day_start_minutes)).date()


def _to_lines(priced: OrderDraft) -> list[dict[str, Any]]:
    return [
        {
            "position": position,
            "item_id": line.item_id,
            "variant_id": line.variant_id,
            "name": line.name,
            "quantity": line.quantity,
            "unit_price_minor": line.unit_price_minor,
            "variation": line.variation,
            "extras": line.extras,
            "note": line.note,
            "discount_minor": paid.discount_minor,
            "tax_minor": paid.tax_minor,
            "tax_rate_ppm": line.tax_rate_ppm,
            "total_minor": paid.total_minor,
            "takes_stock": line.stock_key is not None,
        }
        for position, (line, paid) in enumerate(zip(priced.lines, priced.quote.lines, strict=True))
    ]


def _to_event_data(row: Mapping[str, Any]) -> str:
    """Return the payload of ``OrderCreated`` without id and number, which the statement adds."""
    data = {
        "restaurant_id": row["store_id"],
        "type": row["type"],
        "source": row["source"],
        "status": Status.NEW.value,
        "total": money.to_decimal_string(row["total_minor"], row["currency"]),
        "currency": row["currency"],
        "created_at": row["created_at"],
    }
    return orjson.dumps(data).decode()
