"""Moves orders between kitchen states: any to any, with a history, the stock and the tally in step."""

from typing import Any

import orjson

from comanda import clock
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.events.outbox import publish
from comanda.orders import reading, stock
from comanda.orders.events import OrderStatusChanged
from comanda.orders.states import Status

# A line of a variant took from the variant's stock, or from its item's where the variant has none of its own.
LOCK = """
    SELECT o.status, o.timeline,
      (SELECT json_agg(json_build_array(l.item_id, CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END,
              l.quantity) ORDER BY l.position)
       FROM core_order_line l LEFT JOIN core_variant v ON v.id = l.variant_id AND v.owner_id = l.owner_id
       WHERE l.order_id = o.id AND l.owner_id = o.owner_id AND l.takes_stock) AS stocked
    FROM core_order o WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3 FOR UPDATE OF o
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
        row = await sql.fetch_one(LOCK, order_id, caller.owner_id, store_id)
        if row is None:
            raise NotFound
        old = Status(row["status"])
        if old != status:
            await _change(caller, store_id, order_id, old, status, note, row["stocked"])
    return await reading.order(caller.owner_id, store_id, order_id)


async def _change(
    caller: Caller, store_id: int, order_id: int, old: Status, new: Status, note: str | None, stocked: str | None
) -> None:
    if stocked is not None and Status.CANCELLED in (old, new):
        await _move_stock(
            caller.owner_id, store_id, order_id, orjson.loads(stocked), giving_back=new is Status.CANCELLED
        )
    moment = clock.now()
    # The tenses of the timeline are the specification's: `new` has no stage of its own, the order was created.
    stage = {} if new is Status.NEW else {f"{new}_at": moment}
    await sql.execute(
        CHANGE, order_id, caller.owner_id, old, new, caller.actor, note, moment, orjson.dumps(stage).decode()
    )
    event = OrderStatusChanged(order_id=order_id, restaurant_id=store_id, from_=old, to=new, actor=caller.actor)
    await publish(event, owner_id=caller.owner_id, store_id=store_id)
    await sql.execute(COUNT[old, new], store_id, caller.owner_id)


async def _move_stock(
    owner_id: int, store_id: int, order_id: int, stocked: list[list[Any]], *, giving_back: bool
) -> None:
    quantities: dict[stock.StockKey, int] = {}
    for item_id, variant_id, quantity in stocked:
        key = ("item", item_id) if variant_id is None else ("variant", variant_id)
        quantities[key] = quantities.get(key, 0) + (-quantity if giving_back else quantity)
    reason = "cancelled" if giving_back else "reopened"
    moved = await stock.move(owner_id, store_id, quantities)
    if moved.short and not giving_back:
        raise ValidationFailed(status=["What this order held has been sold since, so it cannot be reopened."])
    await stock.note(owner_id, store_id, moved, reason, order_id)
