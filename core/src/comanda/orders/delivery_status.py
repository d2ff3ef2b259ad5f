"""Moves orders between delivery states, and announces nothing: that is for whoever knows the driver."""

from dataclasses import replace

import orjson

from comanda import clock
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.orders import status

CHANGE = """
    WITH noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, note, changed_at)
        VALUES ($2, $1, 'delivery_status', $3, $4, $5, $6, $7))
    UPDATE core_order SET delivery_status = $4, timeline = timeline || $8::jsonb, updated_at = $7
    WHERE id = $1 AND owner_id = $2
"""
# The kitchen has nothing left to do with an order that has arrived.
IN_THE_KITCHEN = frozenset({Status.NEW, Status.PREPARING, Status.READY})


async def lock_delivery(owner_id: int, order_id: int, store_id: int | None = None) -> PlacedOrder:
    """Return an order, of a store if one is given, locked until the open transaction ends. Raises ``NotFound``."""
    return await status.lock_order(owner_id, order_id, store_id)


async def change_delivery_status(
    order: PlacedOrder, to: DeliveryStatus, *, actor: str, note: str | None = None, again: bool = False
) -> PlacedOrder:
    """Set the delivery status of an order locked by ``lock``, and return the order as it is then.

    Any state may follow any other; who may do what is for the caller to say. ``delivered`` lifts the kitchen status to
    ``delivered`` where the kitchen was not through, which emits ``OrderStatusChanged``. The same state changes nothing,
    unless it is reached ``again``, as by another driver. Raises ``ValidationFailed`` for an order that nobody delivers.
    """
    if order.delivery_status is None:
        raise ValidationFailed(delivery_status=[f"Orders of the type {order.type} are not delivered."])
    if order.delivery_status is to and not again:
        return order
    moment = clock.now()
    # `pending` has no stage of its own: the order waits for a driver again.
    stage = {} if to is DeliveryStatus.PENDING else {f"{to}_at": moment}
    values = (order.delivery_status, to, actor, note, moment, orjson.dumps(stage).decode())
    await sql.execute(CHANGE, order.id, order.owner_id, *values)
    after = replace(order, delivery_status=to)
    if to is DeliveryStatus.DELIVERED and order.status in IN_THE_KITCHEN:
        return await status.change_status(after, Status.DELIVERED, actor=actor)
    return after
