"""Delivery status of orders. Changes publish no event; the plugin that assigns drivers does."""

from dataclasses import replace
from typing import Final

import orjson

from comanda.basics import clock
from comanda.basics.errors import ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.participants import PlacedOrder
from comanda.contracts.orders.status import DeliveryStatus, Status
from comanda.orders import history, status
from comanda.orders.participant_calls import list_participants
from comanda.platform.db import sql
from comanda.platform.plugin_calls import call_plugin_in

UPDATE_DELIVERY_STATUS = """
    WITH noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, note, changed_at)
        VALUES ($2, $1, 'delivery_status', $3, $4, $5, $6, $7))
    UPDATE core_order SET delivery_status = $4, timeline = timeline || $8::jsonb, updated_at = $7
    WHERE id = $1 AND owner_id = $2
"""

# With these the order has left the store.
AWAY: Final = frozenset({DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY, DeliveryStatus.DELIVERED})


async def lock_delivery(owner_id: int, order_id: int, store_id: int | None = None) -> PlacedOrder:
    """Lock and return an order until the open transaction ends, optionally of one store. Raises ``NotFound``."""
    return await status.lock_order(owner_id, order_id, store_id)


async def change_delivery_status(
    order: PlacedOrder, to: DeliveryStatus, *, actor: str, note: str | None = None, again: bool = False
) -> PlacedOrder:
    """Set the delivery status of a locked order and return the updated order.

    Any status may follow any other; the caller checks permissions. ``delivered`` also moves an unfinished kitchen
    status to ``delivered``, which emits ``OrderStatusChanged``. Setting the same status only keeps the note, unless
    ``again`` is given, as for another driver. Raises ``ValidationFailed`` for an order that is not delivered, and for
    what a participant refuses to hand over.
    """
    if order.delivery_status is None:
        raise ValidationFailed(
            delivery_status=[Sentence("Orders of the type %(type)s are not delivered.", type=order.type)]
        )
    if order.delivery_status is to and not again:
        await history.add_note(order, "delivery_status", to, actor=actor, note=note)
        return order
    if to in AWAY and order.delivery_status not in AWAY:
        await check_hand_over(order)
    moment = clock.now()
    # `pending` has no timeline entry: the order waits for a driver again.
    stage = {} if to is DeliveryStatus.PENDING else {f"{to}_at": moment}
    values = (order.delivery_status, to, actor, note, moment, orjson.dumps(stage).decode())
    await sql.execute(UPDATE_DELIVERY_STATUS, order.id, order.owner_id, *values)
    after = replace(order, delivery_status=to)
    if to is DeliveryStatus.DELIVERED and order.status.is_open:
        return await status.change_status(after, Status.DELIVERED, actor=actor)
    return after


async def check_hand_over(order: PlacedOrder) -> None:
    """Raise what a participant raises to keep a locked order in the store, before a driver or a carrier takes it."""
    for participant in list_participants(order):
        if participant.handed_over is not None:
            await call_plugin_in(order.store_id, participant, "handed_over", participant.handed_over, order)
