"""What cooks do with the lines of orders: bump and recall, with the order's status in step."""

from collections.abc import Mapping
from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.errors import Conflict, Forbidden, NotFound, ValidationFailed
from comanda.orders import status

from comanda_kds import lines, members
from comanda_kds.members import Post
from comanda_kds.schemas import StepBody
from comanda_kds.states import NEXT, OF_STATUS, PREVIOUS, SETTLED, ItemState, status_of

NAME: Final = "kds"

FIND: Final = f"""
    SELECT l.order_id, {lines.STATION} AS station_id
    FROM core_order o {lines.OF_KITCHENS.format("$4")} {lines.ROWS} {lines.ROUTING}
    WHERE l.id = $1 AND l.owner_id = $2 AND o.store_id = $3 AND NOT {lines.IS_EXEMPT}
"""
# Of an order that is locked, so its lines stay as they are.
OF_ORDER: Final = f"""
    SELECT l.id, l.name, l.quantity, {lines.STATE} AS state, k.state IS NOT NULL AS has_row,
        {lines.STATION} AS station_id
    FROM core_order o {lines.ROWS} {lines.ROUTING}
    WHERE o.id = $1 AND o.owner_id = $2 AND NOT {lines.IS_EXEMPT}
"""
# The lines of an order follow its status together until the first of them is moved alone: from then on each has a row.
WRITE_ROWS: Final = f"""
    INSERT INTO kds_item
        (order_line_id, owner_id, store_id, order_id, state, started_at, ready_at, served_at, updated_at)
    SELECT l.id, o.owner_id, o.store_id, o.id, {lines.DERIVED}, {lines.STARTED_AT}, {lines.READY_AT},
        CASE WHEN {lines.DERIVED} = '{ItemState.SERVED}'
             THEN (coalesce(o.timeline ->> 'delivered_at', o.timeline ->> 'completed_at'))::timestamptz END, $3
    FROM core_order o {lines.ROWS}
    WHERE o.id = $1 AND o.owner_id = $2 AND k.state IS NULL
"""
# The moments of states that are not reached any more are forgotten; those that were passed over are now.
TIMES: Final = f"""
    started_at = CASE WHEN {{state}} <> '{ItemState.QUEUED}' THEN coalesce(started_at, {{now}}) END,
    ready_at = CASE WHEN {{state}} IN ('{ItemState.READY}', '{ItemState.SERVED}') THEN coalesce(ready_at, {{now}}) END,
    served_at = CASE WHEN {{state}} = '{ItemState.SERVED}' THEN coalesce(served_at, {{now}}) END,
    updated_at = {{now}}
"""
STEP: Final = f"""
    UPDATE kds_item SET state = $3, bumped_by = $4, {TIMES.format(state="$3::varchar", now="$5::timestamptz")}
    WHERE order_line_id = $1 AND owner_id = $2 RETURNING started_at, ready_at
"""
FOLLOW: Final = f"""
    UPDATE kds_item SET state = $3, {TIMES.format(state="$3::varchar", now="$4::timestamptz")}
    WHERE order_id = $1 AND owner_id = $2 AND state <> '{ItemState.SERVED}' AND state <> $3::varchar
"""
FORGET: Final = "DELETE FROM kds_item WHERE order_id = $1 AND owner_id = $2"


async def bump(caller: Caller, item_id: int, body: Unvalidated[StepBody]) -> dict[str, Any]:
    """Move an item one state forward and bring its order's status into step.

    Raises ``NotFound`` for what is no item of the caller's kitchen, ``Forbidden`` for one of another's station,
    ``Conflict`` where it is not in the expected state or its order is cancelled, ``ValidationFailed`` once it is
    served. Emits ``OrderStatusChanged``, unless the order's status stays what it was.
    """
    return await _move(caller, item_id, body, NEXT, "served already")


async def recall(caller: Caller, item_id: int, body: Unvalidated[StepBody]) -> dict[str, Any]:
    """Move an item one state back, as ``bump`` moves it forward; one that is queued has nowhere to go."""
    return await _move(caller, item_id, body, PREVIOUS, "still queued")


async def follow(order: PlacedOrder, new: Status) -> None:
    """Bring the lines of an order into step with the status that somebody gives it, in the open transaction.

    What is served stays served; everything else takes the state of the new status. Cancelling forgets the states, so
    that the lines of an order that is reopened are all where its status says.
    """
    if new is Status.CANCELLED:
        await sql.execute(FORGET, order.id, order.owner_id)
        return
    state, moment = OF_STATUS[new], clock.now()
    if OF_STATUS.get(order.status) is ItemState.SERVED and state is not ItemState.SERVED:
        # They were served, and nothing but their rows will tell.
        await sql.execute(WRITE_ROWS, order.id, order.owner_id, moment)
    await sql.execute(FOLLOW, order.id, order.owner_id, state, moment)


async def _move(
    caller: Caller, item_id: int, body: Unvalidated[StepBody], steps: Mapping[ItemState, ItemState], obstacle: str
) -> dict[str, Any]:
    post = await members.post_of(caller)
    order_id = await _order_of(post, item_id)
    expected = body.validated().expected_status
    async with sql.transaction():
        # Two cooks may move two of an order's items at once, and the waiter the order itself.
        order = await status.lock_order(post.owner_id, order_id, post.store_id)
        of_kitchen = {row["id"]: row for row in await sql.fetch(OF_ORDER, order.id, order.owner_id)}
        item = of_kitchen.get(item_id)
        if item is None:
            raise NotFound
        state = _checked(order, item, expected)
        if state not in steps:
            raise ValidationFailed(status=[f"{item['name']} is {obstacle}."])
        if not all(row["has_row"] for row in of_kitchen.values()):
            await sql.execute(WRITE_ROWS, order.id, order.owner_id, clock.now())
        times = await sql.fetch_one(STEP, item_id, order.owner_id, steps[state], caller.actor, clock.now())
        states = {**{id: ItemState(row["state"]) for id, row in of_kitchen.items()}, item_id: steps[state]}
        order = await _in_step(caller, order, list(states.values()))
    return {
        "id": item_id,
        "order_id": order.id,
        "name": item["name"],
        "quantity": item["quantity"],
        "status": steps[state],
        "station_id": item["station_id"],
        **dict(times or {}),
        "order_status": order.status,
    }


async def _order_of(post: Post, item_id: int) -> int:
    """Return the order of an item. Raises ``NotFound``, ``Forbidden`` for one of another's station."""
    row = await sql.fetch_one(FIND, item_id, post.owner_id, post.store_id, lines.store_types())
    if row is None:
        raise NotFound
    if not post.serves(row["station_id"]):
        raise Forbidden("This item is made at another station.")
    return int(row["order_id"])


def _checked(order: PlacedOrder, item: sql.Row, expected: ItemState | None) -> ItemState:
    """Return an item's state. Raises ``Conflict`` for another than was expected, and where its order is cancelled."""
    if order.status is Status.CANCELLED:
        raise Conflict("The order is cancelled.", extras={"status": None})
    state = ItemState(item["state"])
    if expected is not None and expected is not state:
        raise Conflict(f"{item['name']} is {state} now.", extras={"status": state})
    return state


async def _in_step(caller: Caller, order: PlacedOrder, states: list[ItemState]) -> PlacedOrder:
    target = status_of(states, order.type)
    if order.status in SETTLED:
        return order
    return await status.change_status(order, target, actor=caller.actor, source=NAME)
