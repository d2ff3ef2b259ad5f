"""Writing an amendment: lines, totals, stock, history and event, in the open transaction that holds the order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

import orjson

from comanda.basics import clock, money
from comanda.contracts.orders.participants import DraftLine, NewOrder
from comanda.contracts.orders.status import PaymentStatus
from comanda.contracts.payments.providers import ExcessRefund
from comanda.orders import sections, stock
from comanda.orders.amendments import check_prices
from comanda.orders.amendments.check import Check, CheckLine
from comanda.orders.amendments.records import Amending, AmendmentKind, LineChange
from comanda.orders.bills.refunds import RefundDue, refund_order
from comanda.orders.drafts.draft import OrderDraft
from comanda.orders.drafts.pricing import PricedLine
from comanda.orders.events import AmendedLine, OrderAmended
from comanda.orders.intake.insert_statements import LINE_COLUMNS
from comanda.orders.intake.insertion import build_line, to_paid_event, to_sold_out_error
from comanda.orders.participant_calls import await_step
from comanda.orders.records import (
    LINE_TYPES,
    Order,
    OrderLine,
    build_reader,
    build_voided_column,
    decode_voided,
    to_listed_order,
)
from comanda.orders.records import ORDER_COLUMNS as ALL_COLUMNS
from comanda.platform.audit_log import entries
from comanda.platform.db import sql
from comanda.platform.events import outbox

ORDER_COLUMNS: Final = (
    "type",
    "payment_status",
    "subtotal_minor",
    "discount_total_minor",
    "service_charge_minor",
    "delivery_fee_minor",
    "charges",
    "charges_minor",
    "tax_total_minor",
    "taxes",
    "tip_minor",
    "rounding_minor",
    "total_minor",
    "paid_minor",
    "refunded_minor",
    "paid_at",
    "table_number",
    "note",
    "attributes",
    "given_discounts",
    "amendments",
    "updated_at",
)
_read_columns = build_reader(ORDER_COLUMNS)
# An order as participants have left it, with what was taken off.
SELECT_AMENDED: Final = f"""
    SELECT {ALL_COLUMNS}, {build_voided_column("$2")} FROM core_order o WHERE o.id = $1 AND o.owner_id = $2
"""
# What an amendment may change of a line that stands.
CHANGED: Final = (
    *("position", "quantity", "note", "discount_minor", "tax_minor", "tax_rate_ppm", "total_minor"),
    *("round", "seat", "course", "voided_quantity", "unit_price_minor", "price_label"),
)
# Parameters: the owner, the order that has the lines then, and as JSON the lines that stand and those that are new.
UPDATE_LINES: Final = f"""
    UPDATE core_order_line l SET order_id = $2, {", ".join(f"{name} = c.{name}" for name in CHANGED)}
    FROM jsonb_to_recordset($3::jsonb) AS c ({LINE_TYPES}) WHERE l.id = c.id AND l.owner_id = $1
"""
INSERT_LINES: Final = f"""
    INSERT INTO core_order_line (owner_id, order_id, {", ".join(LINE_COLUMNS)})
    SELECT $1, $2, {", ".join(f"c.{name}" for name in LINE_COLUMNS)}
    FROM jsonb_to_recordset($4::jsonb) AS c ({LINE_TYPES}) RETURNING id, item_id, name, quantity, position
"""
MOVE_LINES: Final = f"""
    WITH updated AS ({UPDATE_LINES}), inserted AS ({INSERT_LINES}) SELECT id FROM inserted ORDER BY position
"""
# The lines, the order, the amendment with its line in the history, its event and the audit entry. New lines come first
# in what the amendment changed.
SAVE_ORDER: Final = f"""
    WITH updated AS ({UPDATE_LINES}), inserted AS ({INSERT_LINES}),
    noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, to_value, actor, note, changed_at)
        VALUES ($1, $2, 'lines', $7, $10, $12, $13)),
    amended AS (
        INSERT INTO core_order_amendment (owner_id, order_id, store_id, number, kind, changes, reason, actor,
            approved_by, created_at, total_minor)
        SELECT $1, $2, $5, $6, $7, coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'line_id', id, 'item_id', item_id, 'name', name, 'quantity', quantity) ORDER BY position)
            FROM inserted), '[]') || $8::jsonb, $9, $10, $11, $13, $14),
    event AS (
        INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
        SELECT $1, $5, '{OrderAmended.name}', $15::jsonb || jsonb_build_object('added', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'line_id', id, 'item_id', item_id, 'item', name, 'quantity', quantity) ORDER BY position)
            FROM inserted), '[]') || ($15::jsonb -> 'added')), $13, now()
        WHERE $15::jsonb IS NOT NULL),
    entry AS (
        INSERT INTO core_audit_entry (owner_id, occurred_at, store_id, after_ids, outcome, {entries.COLUMNS})
        SELECT $1, $13, $5, e.before_ids || jsonb_build_object('restaurant_id', $5::bigint, 'id', $2::bigint),
            '{entries.OUTCOME_OK}', {entries.COLUMNS}
        FROM jsonb_to_record($16::jsonb) AS e {entries.RECORD_TYPE} WHERE $16::jsonb IS NOT NULL
        RETURNING id),
    saved AS (
        UPDATE core_order SET {", ".join(f"{name} = ${number}" for number, name in enumerate(ORDER_COLUMNS, 17))}
        WHERE id = $2 AND owner_id = $1)
    SELECT (SELECT array_agg(id ORDER BY position) FROM inserted) AS line_ids, (SELECT id FROM entry) AS audit_entry_id
"""
MAX_NOTE_LENGTH: Final = 1000
# What an amendment may change of a line that stays, and what is calculated of it then.
get_terms: Final = attrgetter("quantity", "unit_price_minor", "price_label", "note", "seat", "course", "tax_rate_ppm")
get_amounts: Final = attrgetter("discount_minor", "tax_minor", "total_minor")


async def save_amendment(check: Check, draft: OrderDraft, amending: Amending) -> Order:
    """Write what an amendment makes of a check, and return the order without its sections.

    Emits ``OrderAmended``, and ``OrderPaid`` if nothing is due any more. Raises ``ValidationFailed`` if there is not
    enough stock, if more was paid than the new total and that is not to be refunded, or for what a participant refuses.
    """
    order = check_prices.price_order(check, draft)
    await _move_stock(check, draft)
    lines = _price_lines(check, draft)
    changes = _list_changes(check, lines, amending)
    ids = await save_order(order, changes, amending, _list_written(check, lines), to_event(order, changes, amending))
    order = replace(order, lines=tuple(_identify(lines, ids)))
    request = draft.request
    new_order = NewOrder(
        id=order.id,
        number=order.number,
        line_ids=tuple(line.id for line in order.lines),
        total_minor=order.total_minor,
        discounts=draft.contributions.discounts,
        scheduled_for=order.scheduled_for,
        attributes=order.attributes,
    )
    for part in draft.parts:
        if described := await await_step(part, "amended", request, new_order):
            check.said |= sections.accept_sections(part, described, order.id)
    await _refund_excess(check, order, amending)
    # Each change of an order is published; what was taken off before is known to the database.
    is_known = outbox.notify_dispatchers(order.store_id) and not check.released and not check.has_voided
    saved = order if is_known else await _read_amended(order)
    if order.paid_at is not None and check.order.paid_at is None and not order.paid_minor:
        await outbox.publish(to_paid_event(order), owner_id=order.owner_id, store_id=order.store_id)
    return saved


async def reopen(order: Order, amending: Amending) -> None:
    """Make a paid order an open check again. Emits ``OrderAmended``."""
    status = PaymentStatus.PARTIALLY_PAID if order.paid_minor > order.refunded_minor else PaymentStatus.UNPAID
    after = replace(order, paid_at=None, payment_status=status, amendments=order.amendments + 1, updated_at=clock.now())
    await save_order(after, [], amending, event=to_event(after, [], amending))
    outbox.notify_dispatchers(order.store_id)


async def move_lines(order: Order, known: Sequence[CheckLine], draft: OrderDraft) -> list[OrderLine]:
    """Give lines of another order to a new one, priced as in its draft; of a line that stays in part, a copy."""
    lines = [
        replace(_to_line(line.stored, drafted, paid, draft.currency), position=place, round=1)
        for place, (line, drafted, paid) in enumerate(zip(known, draft.lines, draft.quote.lines, strict=True))
    ]
    whole = [line for line, each in zip(lines, known, strict=True) if each.draft.quantity == line.quantity]
    parts = [replace(line, id=0, voided_quantity=0) for line in lines if line not in whole]
    rows = await sql.fetch(MOVE_LINES, order.owner_id, order.id, _encode(whole), _encode(parts))
    return sorted([*whole, *_identify(parts, [row["id"] for row in rows])], key=attrgetter("position"))


async def save_order(
    order: Order,
    changes: Sequence[LineChange],
    amending: Amending,
    lines: Sequence[OrderLine] = (),
    event: OrderAmended | None = None,
) -> Sequence[int]:
    """Write an order as an amendment leaves it, with that amendment, its latest, its line in the history and its event.

    ``lines`` are those that change, with id 0 if they are new; the ids that they then have are returned in their order,
    and stand in the event. The caller has to notify the dispatchers of an event.
    """
    listed = [] if amending.kind is AmendmentKind.PRICE else changes
    note = "; ".join(f"{change.quantity:+d} {change.name}" for change in listed)
    if amending.reason:
        note = f"{note}: {amending.reason}" if note else amending.reason
    audited = None if event is None else entries.get_recording()
    row = await sql.one(
        SAVE_ORDER,
        order.owner_id,
        order.id,
        _encode([line for line in lines if line.id]),
        _encode([line for line in lines if not line.id]),
        order.store_id,
        order.amendments,
        amending.kind.value,
        orjson.dumps([change for change in changes if change.line_id]).decode(),
        amending.reason,
        amending.caller.actor,
        amending.approval.by,
        note[:MAX_NOTE_LENGTH] or None,
        order.updated_at,
        order.total_minor,
        None if event is None else outbox.encode(event),
        None if audited is None else audited.record_for_statement(),
        *_read_columns(order),
    )
    if audited is not None:
        audited.mark_inserted(row["audit_entry_id"])
    return row["line_ids"] or ()


def _identify(lines: Sequence[OrderLine], ids: Sequence[int]) -> list[OrderLine]:
    """Return lines with the ids of those that were new."""
    known = iter(ids)
    return [line if line.id else replace(line, id=next(known)) for line in lines]


async def _read_amended(order: Order) -> Order:
    """Return an order as it is stored."""
    row = await sql.one(SELECT_AMENDED, order.id, order.owner_id)
    return replace(to_listed_order(row), lines=order.lines, voided=decode_voided(row["voided"]))


def _list_changes(check: Check, lines: Sequence[OrderLine], amending: Amending) -> list[LineChange]:
    """Return the lines of a check whose quantity changes, with the differences."""
    if amending.kind is AmendmentKind.PRICE:
        return _list_requantified(check, lines)
    absorbed = set() if check.absorbed is None else set(check.absorbed.line_ids)
    added = [
        LineChange(line.id, line.item_id, line.name, line.quantity)
        for known, line in zip(check.lines, lines, strict=True)
        if known.stored is None or known.id in absorbed
    ]
    released = [LineChange(line.line_id, line.item_id, line.name, -line.quantity) for line in check.released]
    split = [LineChange(id, line.item_id, line.name, -line.quantity) for id, line in check.split_lines.items()]
    return [*added, *released, *split]


def _list_requantified(check: Check, lines: Sequence[OrderLine]) -> list[LineChange]:
    """Return the lines that were priced by another quantity before, of which nothing is added or taken off."""
    before = {line.id: line.quantity for line in check.order.lines}
    return [
        LineChange(line.id, line.item_id, line.name, line.quantity - before[line.id])
        for line in lines
        if line.quantity != before[line.id]
    ]


def to_event(order: Order, changes: Sequence[LineChange], amending: Amending) -> OrderAmended:
    """Return the event of an amendment without its new lines; a price is settled of what the order has already."""
    moved = [] if amending.kind is AmendmentKind.PRICE else changes
    return OrderAmended(
        order_id=order.id,
        restaurant_id=order.store_id,
        number=order.number,
        amendment=order.amendments,
        kind=amending.kind,
        added=[_to_event_line(change) for change in moved if change.quantity > 0 and change.line_id],
        voided=[_to_event_line(change) for change in moved if change.quantity < 0],
        total=money.to_decimal_string(order.total_minor, order.currency),
        currency=order.currency,
        actor=amending.caller.actor,
        **amending.details,
    )


def _to_event_line(change: LineChange) -> AmendedLine:
    return AmendedLine(line_id=change.line_id, item_id=change.item_id, item=change.name, quantity=abs(change.quantity))


async def _refund_excess(check: Check, order: Order, amending: Amending) -> None:
    """Refund what was paid above the new total, as the amendment says. Raises ``RefundDue`` if it does not."""
    excess_minor = order.paid_minor - order.refunded_minor - order.total_minor
    if excess_minor <= 0:
        return
    how = amending.refund
    if how is None:
        raise RefundDue(excess_minor, order.currency)
    amending.approval.require()
    reason = amending.reason or f"Order changed: {amending.kind}"
    request = ExcessRefund(order.total_minor, reason, amending.caller.actor, how.method, how.drawer)
    if not await refund_order(check.placed, request):
        raise RefundDue(excess_minor, order.currency)


async def _move_stock(check: Check, draft: OrderDraft) -> None:
    """Take the stock of added lines, and give back that of released ones."""
    order = check.order
    added = [line.draft for line in check.lines if line.stored is None]
    quantities = Counter(stock.sum_quantities(added))
    quantities.subtract(await _sum_returned(check))
    quantities = Counter({key: quantity for key, quantity in quantities.items() if quantity})
    if not quantities:
        return
    moved = await stock.move_stock(order.owner_id, order.store_id, quantities)
    if moved.short:
        raise to_sold_out_error(draft, moved.short)
    await stock.record_changes(order.owner_id, order.store_id, moved, "amended", order.id)


async def _sum_returned(check: Check) -> dict[stock.StockKey, int]:
    """Return the stock that released lines give back, which is no more than the order still holds."""
    order, released = check.order, {line.line_id: line.quantity for line in check.released if line.is_restocked}
    lines = await stock.list_stocked_lines(order.owner_id, order.id) if released else []
    if not lines:
        return {}
    returned = Counter[stock.StockKey]()
    for line in lines:
        returned[line.key] += released.get(line.id, 0)
    return returned & Counter(await stock.sum_held(order.owner_id, order.store_id, order.id, lines))


def _list_written(check: Check, lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines that are new or change, and those of which nothing is left."""
    voided = _sum_released(check)
    before = {line.id: line for line in check.order.lines}
    changed = [line for line in lines if line != before.get(line.id)]
    left = {line.id for line in lines}
    gone = [line for line in _list_stored(check) if line.id in voided and line.id not in left]
    return [*changed, *(_void(line, voided[line.id]) for line in gone)]


def _price_lines(check: Check, draft: OrderDraft) -> list[OrderLine]:
    """Return the lines that are left as they are stored; those that are new to the order come last, as a round."""
    own, voided = {line.id for line in check.order.lines}, _sum_released(check)
    position = max((line.position for line in check.order.lines), default=-1)
    lines: list[OrderLine] = []
    for known, drafted, paid in zip(check.lines, draft.lines, draft.quote.lines, strict=True):
        line = _to_line(known.stored, drafted, paid, draft.currency)
        if line.id not in own:
            position += 1
            line = replace(line, position=position, round=check.last_round + line.round)
        taken = voided.get(line.id, 0)
        lines.append(replace(line, voided_quantity=line.voided_quantity + taken) if taken else line)
    return lines


def _void(line: OrderLine, quantity: int) -> OrderLine:
    return replace(
        line, quantity=0, discount_minor=0, tax_minor=0, total_minor=0, voided_quantity=line.voided_quantity + quantity
    )


def _sum_released(check: Check) -> dict[int, int]:
    released: dict[int, int] = {}
    for line in check.released:
        released[line.line_id] = released.get(line.line_id, 0) + line.quantity
    return released


def _list_stored(check: Check) -> Sequence[OrderLine]:
    return check.order.lines if check.absorbed is None else (*check.order.lines, *check.absorbed.order.lines)


def _to_line(stored: OrderLine | None, draft: DraftLine, paid: PricedLine, currency: str) -> OrderLine:
    """Return a line as it is to be stored, with id 0 if it is new."""
    if stored is None:
        return build_line(draft, paid, currency, position=0)
    if get_terms(stored) == get_terms(draft) and get_amounts(stored) == get_amounts(paid):
        return stored
    return replace(
        stored,
        quantity=draft.quantity,
        unit_price_minor=draft.unit_price_minor,
        price_label=draft.price_label,
        note=draft.note,
        seat=draft.seat,
        course=draft.course,
        tax_rate_ppm=draft.tax_rate_ppm,
        discount_minor=paid.discount_minor,
        tax_minor=paid.tax_minor,
        total_minor=paid.total_minor,
    )


def _encode(lines: Sequence[OrderLine]) -> str:
    return orjson.dumps(lines).decode()
