"""Kitchen status of orders. Each change updates the history, the stock and the tally."""

from dataclasses import replace

import orjson

from comanda.basics import clock
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.participants import PlacedOrder
from comanda.contracts.orders.status import DeliveryStatus, Status
from comanda.contracts.requests.callers import Caller
from comanda.orders import history, queries, stock
from comanda.orders.events import OrderStatusChanged
from comanda.orders.participant_calls import list_participants
from comanda.orders.records import Order
from comanda.platform.db import sql
from comanda.platform.events.outbox import publish
from comanda.platform.plugin_calls import call_plugin_in

LOCK_ORDER = """
    SELECT o.id, o.owner_id, o.store_id, s.store_type, o.type, o.status, o.delivery_status, o.room_number,
        o.scheduled_for, o.attributes, o.currency, o.total_minor, o.paid_minor, o.refunded_minor
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2 AND ($3::bigint IS NULL OR o.store_id = $3) FOR UPDATE OF o
"""
UPDATE_STATUS = """
    WITH noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, note, changed_at)
        VALUES ($2, $1, 'status', $3, $4, $5, $6, $7))
    UPDATE core_order SET status = $4, timeline = timeline || $8::jsonb, updated_at = $7
    WHERE id = $1 AND owner_id = $2
"""
MOVE_TALLY = {
    (
        old,
        new,
    ): f"UPDATE core_order_tally SET {old} = {old} - 1, {new} = {new} + 1 WHERE store_id = $1 AND owner_id = $2"
    for old in Status
    for new in Status
    if old != new
}


async def set_status(caller: Caller, store_id: int, order_id: int, status: Status, note: str | None = None) -> Order:
    """Set an order's kitchen status and return the order.

    Any status may follow any other; setting the same one only keeps the note. Cancelling returns counted stock,
    reopening takes it again. Emits ``OrderStatusChanged`` if the status changes. Raises ``NotFound``, and
    ``ValidationFailed`` if a reopened order's stock has been sold.
    """
    if not caller.reaches(store_id):
        raise NotFound
    async with sql.transaction():
        await change_status(
            await lock_order(caller.owner_id, order_id, store_id), status, actor=caller.actor, note=note
        )
    return await queries.get_order(caller.owner_id, store_id, order_id)


async def lock_order(owner_id: int, order_id: int, store_id: int | None = None) -> PlacedOrder:
    """Lock and return an order until the open transaction ends, optionally of one store. Raises ``NotFound``."""
    row = await sql.require_one(LOCK_ORDER, order_id, owner_id, store_id)
    known = dict(row)
    known["attributes"] = orjson.loads(row["attributes"] or "{}")
    known["status"] = Status(row["status"])
    known["delivery_status"] = DeliveryStatus(row["delivery_status"]) if row["delivery_status"] else None
    return PlacedOrder(**known)


async def change_status(
    order: PlacedOrder, status: Status, *, actor: str, note: str | None = None, source: str | None = None
) -> PlacedOrder:
    """Change the status of a locked order like ``set_status``, in the open transaction, and return the updated order.

    ``source`` names the participant that makes the change; its own ``moved`` is not called.
    """
    if order.status is status:
        await history.add_note(order, "status", status, actor=actor, note=note)
        return order
    if Status.CANCELLED in {order.status, status}:
        await _cancel_or_reopen(order, is_cancelled=status is Status.CANCELLED)
    await _notify_participants(order, status, source)
    moment = clock.now()
    # `new` has no timeline entry of its own, because the order was created.
    stage = {} if status is Status.NEW else {f"{status}_at": moment}
    await sql.execute(
        UPDATE_STATUS, order.id, order.owner_id, order.status, status, actor, note, moment, orjson.dumps(stage).decode()
    )
    event = OrderStatusChanged(
        order_id=order.id, restaurant_id=order.store_id, from_=order.status, to=status, actor=actor
    )
    await publish(event, owner_id=order.owner_id, store_id=order.store_id)
    await sql.execute(MOVE_TALLY[order.status, status], order.store_id, order.owner_id)
    return replace(order, status=status)


async def _cancel_or_reopen(order: PlacedOrder, *, is_cancelled: bool) -> None:
    for participant in list_participants(order):
        step = participant.cancelled if is_cancelled else participant.reopened
        if step is not None:
            await call_plugin_in(order.store_id, participant, "cancelled" if is_cancelled else "reopened", step, order)
    await _move_stock(order, is_return=is_cancelled)


async def _notify_participants(order: PlacedOrder, status: Status, source: str | None) -> None:
    for participant in list_participants(order):
        if participant.moved is not None and participant.name != source:
            await call_plugin_in(order.store_id, participant, "moved", participant.moved, order, status)


async def _move_stock(order: PlacedOrder, *, is_return: bool) -> None:
    owner_id, store_id = order.owner_id, order.store_id
    lines = await stock.list_stocked_lines(owner_id, order.id)
    if not lines:
        return
    held = await stock.sum_held(owner_id, store_id, order.id, lines)
    quantities = {key: -quantity if is_return else quantity for key, quantity in held.items()}
    reason = "cancelled" if is_return else "reopened"
    moved = await stock.move_stock(owner_id, store_id, quantities)
    if moved.short and not is_return:
        raise ValidationFailed(
            status=[Sentence("This order cannot be reopened, because its items have been sold since.")]
        )
    await stock.record_changes(owner_id, store_id, moved, reason, order.id)
