"""The kitchen's part in amending an order: new lines begin at the beginning, and what is made is voided by approval."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import clock
from comanda.contracts import NewOrder, OrderRequest, Status
from comanda.orders import status
from comanda.orders.amendments import ApprovalRequired
from comanda.platform.db import sql

from comanda_kds.models import ItemState
from comanda_kds.participant import StationRouting
from comanda_kds.services.item_states import STATE_BY_STATUS, derive_order_status
from comanda_kds.services.ticket_items import INSERT_ITEMS_OF_ORDER, PARTICIPANT_NAME, SELECT_ITEMS_OF_ORDER

SELECT_STATES: Final = "SELECT order_line_id, state FROM kds_item WHERE owner_id = $1 AND order_line_id = ANY($2)"
INSERT_ITEMS: Final = """
    INSERT INTO kds_item (order_line_id, owner_id, store_id, order_id, state, updated_at)
    SELECT unnest($4::bigint[]), $1, $2, $3, $5, $6 ON CONFLICT (order_line_id, owner_id) DO NOTHING
"""
MOVE_ITEMS: Final = "UPDATE kds_item SET order_id = $2, updated_at = $4 WHERE owner_id = $1 AND order_line_id = ANY($3)"
COPY_ITEMS: Final = """
    INSERT INTO kds_item (order_line_id, owner_id, store_id, order_id, state, started_at, ready_at, served_at,
        bumped_by, updated_at)
    SELECT c.to_id, k.owner_id, k.store_id, $2, k.state, k.started_at, k.ready_at, k.served_at, k.bumped_by, $5
    FROM unnest($3::bigint[], $4::bigint[]) AS c (from_id, to_id)
    JOIN kds_item k ON k.order_line_id = c.from_id AND k.owner_id = $1
"""


async def update_items(request: OrderRequest, routing: StationRouting, order: NewOrder) -> None:
    """Update the items of an amended order: those that are added are queued, and its status follows.

    Raises ``ApprovalRequired`` if something is taken off that the kitchen has begun, unless that is approved.
    """
    if request.amends is None:
        return
    await _check_released(request, routing)
    await _take_over(request)
    await _give_away(request)
    await _queue_added(request, order)
    await _update_status(request)


async def _check_released(request: OrderRequest, routing: StationRouting) -> None:
    amends = request.amends
    if amends is None or amends.is_approved or not amends.released:
        return
    made = [
        line.line_id
        for line in amends.released
        if line.item_id in request.items and routing.makes(line.item_id, request.items[line.item_id].category_id)
    ]
    rows = await sql.fetch(SELECT_STATES, request.terms.owner_id, made)
    states = {row["order_line_id"]: ItemState(row["state"]) for row in rows}
    of_order = STATE_BY_STATUS.get(amends.order.status)
    if any(states.get(line_id, of_order) is not ItemState.QUEUED for line_id in made):
        raise ApprovalRequired


async def _take_over(request: OrderRequest) -> None:
    """Let the lines of an order that is merged into this one keep the states that they had."""
    amends = request.amends
    if amends is None or amends.absorbed is None:
        return
    owner_id, order, absorbed, moment = request.terms.owner_id, amends.order, amends.absorbed, clock.now()
    taken = list(amends.absorbed_line_ids)
    await sql.execute(MOVE_ITEMS, owner_id, order.id, taken, moment)
    if absorbed.status is not order.status:
        await _insert_items(request, taken, STATE_BY_STATUS[absorbed.status])
        await sql.execute(INSERT_ITEMS_OF_ORDER, order.id, owner_id, moment)


async def _give_away(request: OrderRequest) -> None:
    """Let lines that are split off keep the states that they have."""
    amends = request.amends
    if amends is None or amends.split_into is None:
        return
    owner_id, moment = request.terms.owner_id, clock.now()
    whole = [before for before, after in amends.split_lines.items() if before == after]
    parts = {before: after for before, after in amends.split_lines.items() if before != after}
    await sql.execute(MOVE_ITEMS, owner_id, amends.split_into, whole, moment)
    await sql.execute(COPY_ITEMS, owner_id, amends.split_into, list(parts), list(parts.values()), moment)


async def _queue_added(request: OrderRequest, order: NewOrder) -> None:
    """Give each line a state of its own as soon as they differ: the new ones are queued while the others are not."""
    amends = request.amends
    if amends is None or amends.order.status is Status.NEW:
        return
    pairs = zip(order.line_ids, amends.line_ids, strict=True)
    if added := [line_id for line_id, known in pairs if known is None]:
        await _insert_items(request, added, ItemState.QUEUED)
        await sql.execute(INSERT_ITEMS_OF_ORDER, order.id, request.terms.owner_id, clock.now())


async def _insert_items(request: OrderRequest, line_ids: Sequence[int], state: ItemState) -> None:
    amends, terms = request.amends, request.terms
    if amends is not None:
        await sql.execute(INSERT_ITEMS, terms.owner_id, terms.id, amends.order.id, line_ids, state, clock.now())


async def _update_status(request: OrderRequest) -> None:
    """Let the status of an order follow the states of its items, as a bump does, once they have states of their own."""
    amends = request.amends
    if amends is None:
        return
    order = amends.order
    rows = await sql.fetch(SELECT_ITEMS_OF_ORDER, order.id, order.owner_id)
    states = [ItemState(row["state"]) for row in rows]
    is_served = set(states) == {ItemState.SERVED}
    if any(row["has_row"] for row in rows) and not (is_served and order.status is Status.DELIVERED):
        target = derive_order_status(states, request.body.type)
        await status.change_status(order, target, actor=request.caller.actor, source=PARTICIPANT_NAME)
