"""Moves orders between kitchen states: any to any, with a history, the stock and the tally in step."""

from typing import Any

import orjson

from comanda import clock, runtime
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.events.outbox import publish
from comanda.orders import reading, stock
from comanda.orders.events import OrderStatusChanged
from comanda.orders.participants import StandingOrder
from comanda.orders.states import Status
from comanda.stores.records import vertical_of

# A line of a variant took from the variant's stock, or from its item's where the variant has none of its own.
LOCK = """
    SELECT o.status, o.id, o.owner_id, o.store_id, o.type, o.room_number, o.scheduled_for, o.attributes, o.total_minor,
      s.store_type,
      (SELECT json_agg(json_build_array(l.item_id, CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END,
              l.quantity) ORDER BY l.position)
       FROM core_order_line l LEFT JOIN core_variant v ON v.id = l.variant_id AND v.owner_id = l.owner_id
       WHERE l.order_id = o.id AND l.owner_id = o.owner_id AND l.takes_stock) AS stocked
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3 FOR UPDATE OF o
"""
# What refunds have put back is no longer the order's to give back, nor to take again.
REFUNDED = """
    SELECT item_id, variant_id, sum(delta) AS quantity FROM core_stock_change
    WHERE owner_id = $1 AND store_id = $2 AND order_id = $3 AND reason = 'refund' GROUP BY item_id, variant_id
"""
CHANGE = """
    WITH noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, note, changed_at)
        VALUES ($2, $1, 'status', $3, $4, $5, $6, $7))
    UPDATE core_order SET status = $4, timeline = timeline || $8::jsonb, updated_at = $7
    WHERE id = $1 AND owner_id = $2
"""
COUNT = {
    (
        old,
        new,
    ): f"UPDATE core_order_tally SET {old} = {old} - 1, {new} = {new} + 1 WHERE store_id = $1 AND owner_id = $2"
    for old in Status
    for new in Status
    if old != new
}


async def set_status(
    caller: Caller, store_id: int, order_id: int, status: Status, note: str | None = None
) -> dict[str, Any]:
    """Set an order's kitchen status and return the order.

    Any status may follow any other. Into ``cancelled`` gives counted stock back, out of it takes it again. Emits
    ``OrderStatusChanged``, unless the status stays what it was. Raises ``NotFound``; ``ValidationFailed`` when what a
    cancelled order held has been sold since.
    """
    async with sql.transaction():
        row = await sql.fetch_one(LOCK, order_id, caller.owner_id, store_id) if caller.reaches(store_id) else None
        if row is None:
            raise NotFound
        old = Status(row["status"])
        if old != status:
            await _change(caller, row, old, status, note)
    return await reading.order(caller.owner_id, store_id, order_id)


async def _change(caller: Caller, order: sql.Row, old: Status, new: Status, note: str | None) -> None:
    store_id, order_id = order["store_id"], order["id"]
    if Status.CANCELLED in (old, new):
        await _tell_participants(order, is_cancelled=new is Status.CANCELLED)
        if order["stocked"] is not None:
            stocked = orjson.loads(order["stocked"])
            await _move_stock(caller.owner_id, store_id, order_id, stocked, giving_back=new is Status.CANCELLED)
    moment = clock.now()
    # The tenses of the timeline are the specification's: `new` has no stage of its own, the order was created.
    stage = {} if new is Status.NEW else {f"{new}_at": moment}
    await sql.execute(
        CHANGE, order_id, caller.owner_id, old, new, caller.actor, note, moment, orjson.dumps(stage).decode()
    )
    event = OrderStatusChanged(order_id=order_id, restaurant_id=store_id, from_=old, to=new, actor=caller.actor)
    await publish(event, owner_id=caller.owner_id, store_id=store_id)
    await sql.execute(COUNT[old, new], store_id, caller.owner_id)


async def _tell_participants(row: sql.Row, *, is_cancelled: bool) -> None:
    vertical = vertical_of(row["store_type"])
    if vertical is None:
        return
    order = StandingOrder(
        **{name: row[name] for name in ("id", "owner_id", "store_id", "type", "room_number", "scheduled_for")},
        attributes=orjson.loads(row["attributes"] or "{}"),
        total_minor=row["total_minor"],
    )
    for participant in runtime.registry().participants(vertical, order.type):
        step = participant.cancelled if is_cancelled else participant.reopened
        if step is not None:
            await step(order)


async def _move_stock(
    owner_id: int, store_id: int, order_id: int, stocked: list[list[Any]], *, giving_back: bool
) -> None:
    held: dict[stock.StockKey, int] = {}
    for item_id, variant_id, quantity in stocked:
        key = ("item", item_id) if variant_id is None else ("variant", variant_id)
        held[key] = held.get(key, 0) + quantity
    for row in await sql.fetch(REFUNDED, owner_id, store_id, order_id):
        key = ("item", row["item_id"]) if row["variant_id"] is None else ("variant", row["variant_id"])
        held[key] = held.get(key, 0) - row["quantity"]
    quantities = {key: -quantity if giving_back else quantity for key, quantity in held.items() if quantity > 0}
    reason = "cancelled" if giving_back else "reopened"
    moved = await stock.move(owner_id, store_id, quantities)
    if moved.short and not giving_back:
        raise ValidationFailed(status=["What this order held has been sold since, so it cannot be reopened."])
    await stock.note(owner_id, store_id, moved, reason, order_id)
