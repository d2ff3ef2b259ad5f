"""Places an order: the hot path. One lookup, the snapshot, the price, and one statement that writes everything."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import orjson

from comanda import clock, money
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.events import outbox
from comanda.events.types import Event
from comanda.http.call import Unvalidated
from comanda.menu import snapshot
from comanda.menu.snapshot import StoreTerms
from comanda.orders import reading, stock
from comanda.orders.draft import Draft, Limits, draft
from comanda.orders.events import OrderCreated
from comanda.orders.idempotency import Keys
from comanda.orders.records import order_record
from comanda.orders.schemas import OrderBody
from comanda.orders.states import DeliveryStatus, PaymentStatus, Status


@dataclass(frozen=True, slots=True)
class Channel:
    """Where orders come in: whose keys are compared, the default ``source``, and how large one may be."""

    audience: str
    source: str
    limits: Limits


OWNER_CHANNEL = Channel("owner", "api", Limits(lines=200, quantity=999))


@dataclass(frozen=True, slots=True)
class Placed:
    """The order, and whether it was there before: then whether the repeat's body was another one."""

    record: dict[str, Any]
    is_replay: bool = False
    is_mismatch: bool = False


FIND_STORE = """
    SELECT s.menu_version FROM core_store s WHERE s.id = $1 AND s.owner_id = $2
"""
# The header wins where it and client_uuid belong to different orders. Each key is looked up by itself: with an OR the
# generic plan of a table without statistics reads every order of the store.
FIND_REPLAY = """
    SELECT s.menu_version, coalesce(
        (SELECT o.id FROM core_order o WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.idempotency_key = $4),
        (SELECT o.id FROM core_order o WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.client_uuid = $5)) AS replay_id
    FROM core_store s WHERE s.id = $1 AND s.owner_id = $2
"""

# The tally's row is locked here, last, and held for no longer than the commit takes. Its day never goes back: an order
# that was priced before the day turned and waited for one priced after would else begin the numbers again.
INSERT = f"""
    WITH tally AS (
        INSERT INTO core_order_tally AS t (store_id, owner_id, business_date, last_number, new)
        VALUES ($2, $1, $3, 1, 1)
        ON CONFLICT (store_id, owner_id) DO UPDATE SET
            last_number = CASE WHEN t.business_date >= EXCLUDED.business_date THEN t.last_number + 1 ELSE 1 END,
            business_date = greatest(t.business_date, EXCLUDED.business_date), new = t.new + 1
        RETURNING last_number, business_date),
    placed AS (
        INSERT INTO core_order (
            owner_id, store_id, number, business_date, type, status, delivery_status, payment_status, currency,
            subtotal_minor, discount_total_minor, service_charge_minor, delivery_fee_minor, tax_total_minor,
            is_tax_included, tip_minor, rounding_minor, total_minor, customer_id, customer_name, phone, address,
            table_number, room_number, scheduled_for, note, source, audience, idempotency_key, client_uuid, body_hash,
            track_token, track_hash, timeline, created_at, updated_at)
        SELECT $1, $2, last_number, business_date, $4, '{Status.NEW}', $5, '{PaymentStatus.UNPAID}', $6, $7, $8, $9,
            $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28,
            $29, $30, $31, $32, $32
        FROM tally
        RETURNING id, number, business_date),
    lines AS (
        INSERT INTO core_order_line (
            owner_id, order_id, position, item_id, variant_id, name, quantity, unit_price_minor, variation, extras,
            note, discount_minor, tax_minor, tax_rate_bp, total_minor, takes_stock)
        SELECT $1, placed.id, l.position, l.item_id, l.variant_id, l.name, l.quantity, l.unit_price_minor, l.variation,
            l.extras, l.note, l.discount_minor, l.tax_minor, l.tax_rate_bp, l.total_minor, l.takes_stock
        FROM placed, jsonb_to_recordset($33::jsonb) AS l (
            position smallint, item_id bigint, variant_id bigint, name text, quantity int, unit_price_minor bigint,
            variation jsonb, extras jsonb, note text, discount_minor bigint, tax_minor bigint, tax_rate_bp int,
            total_minor bigint, takes_stock boolean)
        RETURNING id, position),
    event AS (
        INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
        SELECT $1, $2, '{OrderCreated.name}',
            jsonb_build_object('order_id', placed.id, 'number', placed.number) || $34::jsonb, $32, now()
        FROM placed)
    SELECT placed.id, placed.number, placed.business_date,
        (SELECT array_agg(id ORDER BY position) FROM lines) AS line_ids
    FROM placed
"""


async def place(caller: Caller, channel: Channel, store_id: int, body: Unvalidated[OrderBody], keys: Keys) -> Placed:
    """Place an order, or return the one that the same key placed before.

    The order of checks is ownership, repeat, body, stock, price. Emits ``OrderCreated``, not for a repeat. Raises
    ``NotFound``, ``ValidationFailed``; ``Conflict`` while a request with the same key is still at work.
    """
    customer_id = caller.subject_id if caller.kind == "customer" else None
    store, replay = await _find(caller, channel, store_id, keys, customer_id)
    if replay is not None:
        return replay
    order = body.validated()
    try:
        return await _place(caller, channel, store["menu_version"], store_id, order, keys, customer_id)
    except (asyncpg.UniqueViolationError, asyncpg.LockNotAvailableError, ValidationFailed) as error:
        if not keys:
            raise
        # Another request with this key may have won the race while this one was being priced, and have taken the last
        # piece of what both want; or it is stuck, and this one has waited for it for as long as it may.
        _, replay = await _find(caller, channel, store_id, keys, customer_id)
        if replay is not None:
            return replay
        if isinstance(error, ValidationFailed):
            raise
        raise Conflict("A request with the same key is still at work.", headers={"Retry-After": "1"}) from error


async def _place(
    caller: Caller,
    channel: Channel,
    menu_version: int,
    store_id: int,
    order: OrderBody,
    keys: Keys,
    customer_id: int | None,
) -> Placed:
    menu = await snapshot.get(store_id, menu_version)
    priced = draft(order, menu, channel.limits)
    row = _columns(caller, channel, menu.terms, order, priced, keys, customer_id)
    lines = _lines(priced)
    values = (*row.values(), orjson.dumps(lines).decode(), _event_data(row, priced))
    inserted = await _insert(caller.owner_id, store_id, priced, values)
    outbox.announce()
    line_ids: list[int] = inserted["line_ids"]
    made = [
        {**line, "id": line_id, "extras": drafted.extras, "variation": drafted.variation}
        for line, line_id, drafted in zip(lines, line_ids, priced.lines, strict=True)
    ]
    given = {name: inserted[name] for name in ("id", "number", "business_date")}
    whole = {**row, **DEFAULTS, **given, "updated_at": row["created_at"]}
    return Placed(order_record(whole, made, {"created_at": row["created_at"].isoformat()}))


DEFAULTS = {
    "status": Status.NEW.value,
    "payment_status": PaymentStatus.UNPAID.value,
    "paid_minor": 0,
    "refunded_minor": 0,
    "coupon_code": None,
}


async def _find(
    caller: Caller, channel: Channel, store_id: int, keys: Keys, customer_id: int | None
) -> tuple[sql.Row, Placed | None]:
    """Find the caller's store, and the order that these keys placed before."""
    if caller.store_id is not None and caller.store_id != store_id:
        raise NotFound
    if not keys:
        store = await sql.fetch_one(FIND_STORE, store_id, caller.owner_id)
        if store is None:
            raise NotFound
        return store, None
    store = await sql.fetch_one(
        FIND_REPLAY, store_id, caller.owner_id, channel.audience, keys.header, keys.client_uuid, customer_id or 0
    )
    if store is None:
        raise NotFound
    if store["replay_id"] is None:
        return store, None
    found = await reading.order(caller.owner_id, store_id, store["replay_id"])
    stored_hash = await reading.body_hash(caller.owner_id, store["replay_id"])
    return store, Placed(found, is_replay=True, is_mismatch=stored_hash != keys.body_hash)


async def _insert(owner_id: int, store_id: int, priced: Draft, values: tuple[object, ...]) -> sql.Row:
    """Write the order. With counted stock that is one more statement, and so an explicit transaction."""
    quantities = stock.wanted(priced.lines)
    if not quantities:
        return await _insert_order(values)
    async with sql.transaction():
        short = await stock.move(owner_id, store_id, quantities, reason="order")
        if short:
            raise _sold_out(priced, short)
        return await _insert_order(values)


async def _insert_order(values: tuple[object, ...]) -> sql.Row:
    row = await sql.fetch_one(INSERT, *values)
    assert row is not None  # noqa: S101 - the statement inserts one order or raises
    return row


def _sold_out(priced: Draft, short: list[stock.StockKey]) -> ValidationFailed:
    return ValidationFailed(
        {
            f"items.{position}.item_id": [f"There is not enough of {line.name} left."]
            for position, line in enumerate(priced.lines)
            if line.stock_key in short
        }
    )


def _columns(
    caller: Caller,
    channel: Channel,
    terms: StoreTerms,
    order: OrderBody,
    priced: Draft,
    keys: Keys,
    customer_id: int | None,
) -> dict[str, Any]:
    """Collect the order's columns, in the order of the statement's parameters."""
    moment = clock.now()
    quote = priced.quote
    track_token = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    return {
        "owner_id": caller.owner_id,
        "store_id": terms.id,
        "business_date": business_date(terms, moment),
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
        "rounding_minor": quote.rounding_minor,
        "total_minor": quote.total_minor,
        "customer_id": customer_id,
        "customer_name": order.customer_name or None,
        "phone": order.phone or None,
        "address": order.address or None,
        "table_number": order.table_number or None,
        "room_number": order.room_number or None,
        "scheduled_for": order.scheduled_for,
        "note": order.note or None,
        "source": order.source or channel.source,
        "audience": channel.audience,
        "idempotency_key": keys.header,
        "client_uuid": keys.client_uuid,
        "body_hash": keys.body_hash if keys else None,
        "track_token": track_token,
        "track_hash": hashlib.sha256(track_token.encode()).digest(),
        "timeline": orjson.dumps({"created_at": moment}).decode(),
        "created_at": moment,
    }


def business_date(terms: StoreTerms, moment: datetime) -> Any:
    """Tell the business day of a moment: the store's local day, which starts at ``day_start_minutes``."""
    return (moment.astimezone(terms.zone) - timedelta(minutes=terms.day_start_minutes)).date()


def _lines(priced: Draft) -> list[dict[str, Any]]:
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
            "tax_rate_bp": line.tax_rate_bp,
            "total_minor": paid.total_minor,
            "takes_stock": line.stock_key is not None,
        }
        for position, (line, paid) in enumerate(zip(priced.lines, priced.quote.lines, strict=True))
    ]


def _event_data(row: Mapping[str, Any], priced: Draft) -> str:
    """Make the payload of ``OrderCreated`` but for the id and number, which the statement adds."""
    event: Event = OrderCreated(
        order_id=0,
        restaurant_id=row["store_id"],
        number=0,
        type=row["type"],
        source=row["source"],
        status=Status.NEW.value,
        total=money.to_decimal_string(row["total_minor"], priced.currency),
        currency=priced.currency,
        created_at=row["created_at"],
    )
    return orjson.dumps(event.model_dump(exclude={"order_id", "number"})).decode()
