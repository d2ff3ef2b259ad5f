"""The kitchen's part in amending an order.

New lines are a ticket of their own and begin at the beginning. What is made is voided by approval, and a cook sees what
was voided.
"""

from collections.abc import Sequence
from typing import Final

from comanda.basics import clock
from comanda.contracts import NewOrder, NewSections, OrderRequest, PlacedOrder, Status
from comanda.orders import status
from comanda.orders.amendments import ApprovalRequired
from comanda.platform.db import sql
from comanda.stores import get_store_settings

from comanda_kds.models import ItemState
from comanda_kds.participant import StationRouting, describe_amended_lines
from comanda_kds.services import courses
from comanda_kds.services.item_states import STATE_BY_STATUS, derive_order_status
from comanda_kds.services.ticket_items import INSERT_ITEMS_OF_ORDER, PARTICIPANT_NAME, SELECT_ITEMS_OF_ORDER
from comanda_kds.store_settings import KitchenWorkflow

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
# A round that comes from another order is as old as that order.
INSERT_ROUNDS: Final = """
    INSERT INTO kds_round (owner_id, store_id, order_id, round, placed_at)
    SELECT DISTINCT l.owner_id, $2::bigint, l.order_id, l.round, coalesce(o.created_at, $5::timestamptz)
    FROM core_order_line_v1 l LEFT JOIN core_order_v1 o ON o.id = $4 AND o.owner_id = l.owner_id
    WHERE l.owner_id = $1 AND l.id = ANY($3)
    ON CONFLICT (order_id, owner_id, round) DO NOTHING
"""
INSERT_ROUND: Final = """
    INSERT INTO kds_round (owner_id, store_id, order_id, round, placed_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (order_id, owner_id, round) DO NOTHING
"""
COPY_COURSES: Final = """
    INSERT INTO kds_course (owner_id, store_id, order_id, course, fire_at, fired_at, fired_by, created_at)
    SELECT owner_id, store_id, $3, course, fire_at, fired_at, fired_by, created_at FROM kds_course
    WHERE owner_id = $1 AND order_id = $2
    ON CONFLICT (order_id, owner_id, course) DO NOTHING
"""
MOVE_VOIDS: Final = """
    UPDATE kds_void SET order_id = $3, round = (
        SELECT min(l.round) FROM core_order_line_v1 l WHERE l.owner_id = $1 AND l.id = ANY($4))
    WHERE owner_id = $1 AND order_id = $2 AND seen_at IS NULL
"""
INSERT_VOIDS: Final = """
    INSERT INTO kds_void (owner_id, store_id, order_id, order_line_id, round, quantity, voided_at)
    SELECT l.owner_id, $2, $3, l.id, l.round, t.quantity, $6
    FROM unnest($4::bigint[], $5::int[]) AS t (line_id, quantity)
    JOIN core_voided_line_v1 l ON l.id = t.line_id AND l.owner_id = $1
"""


async def update_items(request: OrderRequest, routing: StationRouting, order: NewOrder) -> NewSections | None:
    """Update the items of an amended order: those that are added are queued, and statuses follow.

    Returns the kitchen's fields of its lines, if they are known without a query. Raises ``ApprovalRequired`` if
    something is taken off that the kitchen has begun, unless that is approved.
    """
    amends = request.amends
    if amends is None:
        return None
    await _update_released(request, routing)
    await _take_over(request)
    await _give_away(request)
    await _queue_added(request, order)
    is_started = amends.order.status is not Status.NEW
    if not (amends.released or amends.absorbed or amends.split_into or (is_started and None in amends.line_ids)):
        return describe_amended_lines(request, routing, order)
    orders = [amends.order]
    if amends.split_into is not None:
        orders.append(await status.lock_order(amends.order.owner_id, amends.split_into))
    workflow = await get_store_settings(KitchenWorkflow, request.terms.owner_id, request.terms.id)
    for changed in orders:
        await _update_status(request, changed)
        await courses.schedule_next_course(changed, workflow)
    return None


async def _update_released(request: OrderRequest, routing: StationRouting) -> None:
    """Check that what is being made may be taken off, and show what was taken off to the cooks."""
    amends = request.amends
    if amends is None or not amends.released:
        return
    made = [
        line
        for line in amends.released
        if not line.is_heading
        and (line.item_id not in request.items or routing.makes(line.item_id, request.items[line.item_id].category_id))
    ]
    owner_id, line_ids = request.terms.owner_id, [line.line_id for line in made]
    rows = await sql.fetch(SELECT_STATES, owner_id, line_ids)
    states = {row["order_line_id"]: ItemState(row["state"]) for row in rows}
    of_order = STATE_BY_STATUS.get(amends.order.status)
    if not amends.is_approved and any(states.get(id, of_order) is not ItemState.QUEUED for id in line_ids):
        raise ApprovalRequired
    if shown := [line for line in made if states.get(line.line_id, of_order) is not ItemState.SERVED]:
        ids, quantities = zip(*[(line.line_id, line.quantity) for line in shown], strict=True)
        await sql.execute(INSERT_VOIDS, owner_id, request.terms.id, amends.order.id, ids, quantities, clock.now())


async def _take_over(request: OrderRequest) -> None:
    """Copy the states of the lines of an order that is merged into this one."""
    amends = request.amends
    if amends is None or amends.absorbed is None:
        return
    owner_id, order, absorbed, moment = request.terms.owner_id, amends.order, amends.absorbed, clock.now()
    taken = list(amends.absorbed_line_ids)
    await sql.execute(MOVE_ITEMS, owner_id, order.id, taken, moment)
    await sql.execute(INSERT_ROUNDS, owner_id, request.terms.id, taken, absorbed.id, moment)
    await sql.execute(COPY_COURSES, owner_id, absorbed.id, order.id)
    await sql.execute(MOVE_VOIDS, owner_id, absorbed.id, order.id, taken)
    if absorbed.status is not order.status:
        await _insert_items(request, taken, STATE_BY_STATUS[absorbed.status])
        await sql.execute(INSERT_ITEMS_OF_ORDER, order.id, owner_id, moment)


async def _give_away(request: OrderRequest) -> None:
    """Copy the states of lines that are split off."""
    amends = request.amends
    if amends is None or amends.split_into is None:
        return
    owner_id, moment = request.terms.owner_id, clock.now()
    whole = [before for before, after in amends.split_lines.items() if before == after]
    parts = {before: after for before, after in amends.split_lines.items() if before != after}
    await sql.execute(MOVE_ITEMS, owner_id, amends.split_into, whole, moment)
    await sql.execute(COPY_ITEMS, owner_id, amends.split_into, list(parts), list(parts.values()), moment)
    split = [*whole, *parts.values()]
    await sql.execute(INSERT_ROUNDS, owner_id, request.terms.id, split, amends.order.id, moment)
    await sql.execute(COPY_COURSES, owner_id, amends.order.id, amends.split_into)


async def _queue_added(request: OrderRequest, order: NewOrder) -> None:
    """Note when a round came, and give each line a state of its own as soon as they differ.

    The new ones are queued while the others are not.
    """
    amends = request.amends
    if amends is None:
        return
    pairs = zip(order.line_ids, amends.line_ids, strict=True)
    added = [line_id for line_id, known in pairs if known is None]
    if added:
        terms, round_ = request.terms, amends.last_round + 1
        await sql.execute(INSERT_ROUND, terms.owner_id, terms.id, order.id, round_, clock.now())
    if added and amends.order.status is not Status.NEW:
        await _insert_items(request, added, ItemState.QUEUED)
        await sql.execute(INSERT_ITEMS_OF_ORDER, order.id, request.terms.owner_id, clock.now())


async def _insert_items(request: OrderRequest, line_ids: Sequence[int], state: ItemState) -> None:
    amends, terms = request.amends, request.terms
    if amends is not None:
        await sql.execute(INSERT_ITEMS, terms.owner_id, terms.id, amends.order.id, line_ids, state, clock.now())


async def _update_status(request: OrderRequest, order: PlacedOrder) -> None:
    """Update the status of an order by the states of its items, as a bump does, once they have states of their own."""
    rows = await sql.fetch(SELECT_ITEMS_OF_ORDER, order.id, order.owner_id)
    states = [ItemState(row["state"]) for row in rows]
    is_served = set(states) == {ItemState.SERVED}
    if any(row["has_row"] for row in rows) and not (is_served and order.status is Status.DELIVERED):
        target = derive_order_status(states, request.body.type)
        await status.change_status(order, target, actor=request.caller.actor, source=PARTICIPANT_NAME)
