"""Bump and recall of ticket items, in step with the status of their order."""

from collections.abc import Callable
from typing import Final

from comanda.basics import Conflict, Forbidden, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import (
    NO_IDEMPOTENCY_KEY,
    Caller,
    IdempotencyKey,
    IdempotentResult,
    PlacedOrder,
    Status,
    Unvalidated,
)
from comanda.orders import status
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import get_store_settings

from comanda_kds.models import ItemState
from comanda_kds.records import MovedItem
from comanda_kds.schemas import StepBody
from comanda_kds.services import courses, order_lines, station_assignments
from comanda_kds.services.item_states import (
    FINAL_STATUSES,
    MADE_STATES,
    STATE_BY_STATUS,
    derive_order_status,
    get_next_state,
    get_previous_state,
)
from comanda_kds.services.station_assignments import StationAssignment
from comanda_kds.store_settings import KitchenWorkflow

PARTICIPANT_NAME: Final = "kds"

SELECT_ITEM: Final = f"""
    SELECT l.order_id, {order_lines.STATION_ID} AS station_id
    FROM core_order_v1 o {order_lines.JOIN_STORES_WITH_KITCHEN.format("$4")}
    {order_lines.JOIN_LINES} {order_lines.JOIN_ROUTES}
    WHERE l.id = $1 AND l.owner_id = $2 AND o.store_id = $3 AND NOT {order_lines.IS_EXEMPT}
"""
# The order is locked, so its lines do not change meanwhile.
SELECT_ITEMS_OF_ORDER: Final = f"""
    SELECT l.id, l.name, l.quantity, {order_lines.ITEM_STATE} AS state, k.state IS NOT NULL AS has_row,
        {order_lines.STATION_ID} AS station_id, st.bumps,
        {order_lines.STARTED_AT} AS started_at, {order_lines.READY_AT} AS ready_at
    FROM core_order_v1 o {order_lines.JOIN_LINES} {order_lines.JOIN_ROUTES} {order_lines.JOIN_STATIONS}
    WHERE o.id = $1 AND o.owner_id = $2 AND NOT {order_lines.IS_EXEMPT}
"""
# The states of lines follow their order's status until one is bumped on its own; from then on each line has a row.
INSERT_ITEMS_OF_ORDER: Final = f"""
    INSERT INTO kds_item
        (order_line_id, owner_id, store_id, order_id, state, started_at, ready_at, served_at, updated_at)
    SELECT l.id, o.owner_id, o.store_id, o.id, {order_lines.STATE_FROM_STATUS},
        {order_lines.STARTED_AT}, {order_lines.READY_AT},
        CASE WHEN {order_lines.STATE_FROM_STATUS} = '{ItemState.SERVED}'
             THEN (coalesce(o.timeline ->> 'delivered_at', o.timeline ->> 'completed_at'))::timestamptz END, $3
    FROM core_order_v1 o {order_lines.JOIN_LINES}
    WHERE o.id = $1 AND o.owner_id = $2 AND k.state IS NULL
"""
# Clears the timestamps of later states, and sets those of states that were skipped.
SET_TIMESTAMPS: Final = f"""
    started_at = CASE WHEN {{state}} <> '{ItemState.QUEUED}' THEN coalesce(started_at, {{now}}) END,
    ready_at = CASE WHEN {{state}} IN ('{ItemState.READY}', '{ItemState.SERVED}') THEN coalesce(ready_at, {{now}}) END,
    served_at = CASE WHEN {{state}} = '{ItemState.SERVED}' THEN coalesce(served_at, {{now}}) END,
    updated_at = {{now}}
"""
UPDATE_ITEM: Final = f"""
    UPDATE kds_item SET state = $3, bumped_by = $4, {SET_TIMESTAMPS.format(state="$3::varchar", now="$5::timestamptz")}
    WHERE order_line_id = $1 AND owner_id = $2 RETURNING started_at, ready_at
"""
UPDATE_ITEMS_OF_ORDER: Final = f"""
    UPDATE kds_item SET state = $3, {SET_TIMESTAMPS.format(state="$3::varchar", now="$4::timestamptz")}
    WHERE order_id = $1 AND owner_id = $2 AND state <> '{ItemState.SERVED}' AND state <> $3::varchar
"""
SELECT_STEP: Final = """
    SELECT to_state, body_hash FROM kds_step WHERE order_line_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""
INSERT_STEP: Final = """
    INSERT INTO kds_step (order_line_id, owner_id, store_id, order_id, from_state, to_state, made_by, created_at,
        idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
"""
DELETE_ITEMS_OF_ORDER: Final = "DELETE FROM kds_item WHERE order_id = $1 AND owner_id = $2"


async def bump_item(
    caller: Caller, item_id: int, body: Unvalidated[StepBody], key: IdempotencyKey = NO_IDEMPOTENCY_KEY
) -> IdempotentResult[MovedItem]:
    """Advance an item by one state and synchronize its order's status; with one bump it is ready at once.

    A repeat with the same key changes nothing and returns the state that the first request led to.
    Raises ``NotFound`` for an item of another kitchen, ``Forbidden`` for one of another station, ``Conflict`` if it is
    not in the expected state or its order is cancelled, ``ValidationFailed`` once it is served.
    Emits ``OrderStatusChanged`` if the order's status changes.
    """
    return await _update_item(caller, item_id, body, key, get_next_state, "served already")


async def recall_item(
    caller: Caller, item_id: int, body: Unvalidated[StepBody], key: IdempotencyKey = NO_IDEMPOTENCY_KEY
) -> IdempotentResult[MovedItem]:
    """Move an item back by one state, with the errors and events of ``bump_item``; a queued item cannot be recalled."""
    return await _update_item(caller, item_id, body, key, get_previous_state, "still queued")


async def update_items_of_order(order: PlacedOrder, new: Status) -> None:
    """Update the items of an order whose status changes, in the open transaction.

    Served items stay served; all others take the state of the new status. Cancelling deletes the states, so that the
    lines of a reopened order follow its status again.
    """
    if new is Status.CANCELLED:
        await sql.execute(DELETE_ITEMS_OF_ORDER, order.id, order.owner_id)
        return
    state, moment = STATE_BY_STATUS[new], clock.now()
    if STATE_BY_STATUS.get(order.status) is ItemState.SERVED and state is not ItemState.SERVED:
        # Only their rows can record that they were served.
        await sql.execute(INSERT_ITEMS_OF_ORDER, order.id, order.owner_id, moment)
    await sql.execute(UPDATE_ITEMS_OF_ORDER, order.id, order.owner_id, state, moment)


async def _update_item(
    caller: Caller,
    item_id: int,
    body: Unvalidated[StepBody],
    key: IdempotencyKey,
    move: Callable[[ItemState, int], ItemState | None],
    problem: str,
) -> IdempotentResult[MovedItem]:
    assignment = await station_assignments.get_assignment(caller)
    order_id = await _get_order_id(assignment, item_id)
    expected = body.validated().expected_status
    workflow = await get_store_settings(KitchenWorkflow, assignment.owner_id, assignment.store_id)
    async with sql.transaction():
        # Two cooks may bump two items of an order at once, while a waiter changes the order itself.
        order = await status.lock_order(assignment.owner_id, order_id, assignment.store_id)
        of_kitchen = {row["id"]: row for row in await sql.fetch(SELECT_ITEMS_OF_ORDER, order.id, order.owner_id)}
        item = require_found(of_kitchen.get(item_id))
        # The lock also orders requests with one key, so the second finds the step of the first.
        if repeated := await _find_step(order, item, key):
            return repeated
        state = _check_state(order, item, expected)
        moved = move(state, item["bumps"] or workflow.bumps)
        if moved is None:
            raise ValidationFailed(status=[f"{item['name']} is {problem}."])
        if not all(row["has_row"] for row in of_kitchen.values()):
            await sql.execute(INSERT_ITEMS_OF_ORDER, order.id, order.owner_id, clock.now())
        times = await sql.one(UPDATE_ITEM, item_id, order.owner_id, moved, caller.actor, clock.now())
        await _insert_step(caller, order, item_id, key, state, moved)
        states = {**{id: ItemState(row["state"]) for id, row in of_kitchen.items()}, item_id: moved}
        order = await _update_order_status(caller, order, list(states.values()))
        if (state in MADE_STATES) is not (moved in MADE_STATES):
            await courses.schedule_next_course(order, workflow)
        notifier.announce_change(order.store_id)
    return IdempotentResult(_to_moved(order, item, moved, times))


async def _find_step(order: PlacedOrder, item: sql.Row, key: IdempotencyKey) -> IdempotentResult[MovedItem] | None:
    """Return what an earlier request with this key led to, with the order as it is now; None if there was none."""
    if key.text is None:
        return None
    step = await sql.fetch_one(SELECT_STEP, item["id"], order.owner_id, key.text)
    if step is None:
        return None
    moved = _to_moved(order, item, ItemState(step["to_state"]), item)
    return IdempotentResult(moved, is_replay=True, is_mismatch=step["body_hash"] != key.body_hash)


async def _insert_step(
    caller: Caller, order: PlacedOrder, item_id: int, key: IdempotencyKey, before: ItemState, after: ItemState
) -> None:
    if key.text is not None:
        ids = (item_id, order.owner_id, order.store_id, order.id)
        await sql.execute(INSERT_STEP, *ids, before, after, caller.actor, clock.now(), key.text, key.body_hash)


def _to_moved(order: PlacedOrder, item: sql.Row, state: ItemState, times: sql.Row) -> MovedItem:
    return MovedItem(
        id=item["id"],
        order_id=order.id,
        name=item["name"],
        quantity=item["quantity"],
        status=state,
        station_id=item["station_id"],
        started_at=times["started_at"],
        ready_at=times["ready_at"],
        order_status=order.status,
    )


async def _get_order_id(assignment: StationAssignment, item_id: int) -> int:
    """Return the order of an item. Raises ``NotFound``, ``Forbidden`` for an item of another station."""
    row = await sql.require_one(
        SELECT_ITEM, item_id, assignment.owner_id, assignment.store_id, order_lines.list_kitchen_store_types()
    )
    if not assignment.includes(row["station_id"]):
        raise Forbidden(Sentence("This item is made at another station."))
    return int(row["order_id"])


def _check_state(order: PlacedOrder, item: sql.Row, expected: ItemState | None) -> ItemState:
    """Return an item's state. Raises ``Conflict`` if it is not the expected one, or if its order is cancelled."""
    if order.status is Status.CANCELLED:
        raise Conflict(Sentence("The order is cancelled."), extras={"status": None})
    state = ItemState(item["state"])
    if expected is not None and expected is not state:
        raise Conflict(f"{item['name']} is {state} now.", extras={"status": state})
    return state


async def _update_order_status(caller: Caller, order: PlacedOrder, states: list[ItemState]) -> PlacedOrder:
    target = derive_order_status(states, order.type)
    if order.status in FINAL_STATUSES:
        return order
    return await status.change_status(order, target, actor=caller.actor, source=PARTICIPANT_NAME)
