"""Cooks: they read the board of their store and bump what is on it, several at the same tickets."""

from random import Random
from typing import Any, Final

from evening.client import Api, EveningClock, UnexpectedAnswer
from evening.ledger import IN_HOUSE_MODES, EveningLedger, Line, Order

# Between two looks at the board, in minutes of the evening and in seconds on the wall.
POLL_MINUTES: Final = 1.5
POLL_SECONDS: Final = 0.1
NEXT_STATE: Final = {"queued": "preparing", "preparing": "ready", "ready": "served"}


async def run_cook(ledger: EveningLedger, clock: EveningClock, api: Api, seed: int) -> None:
    """Work until the evening is over, and look at the board at other moments than the others."""
    random = Random(seed)
    while not clock.is_over:
        await clock.sleep(POLL_MINUTES * random.uniform(0.5, 1.5), POLL_SECONDS)
        board = await api.do("GET", "/staff/kds")
        for ticket in board:
            order = ledger.by_id.get(ticket["order_id"])
            if order is None:
                continue
            for item in ticket["items"]:
                await _process_item(ledger, clock, api, order, item)


async def _process_item(
    ledger: EveningLedger, clock: EveningClock, api: Api, order: Order, item: dict[str, Any]
) -> None:
    line = order.lines.get(item["id"])
    state = item["status"]
    if line is None or order.status == "cancelled" or order.is_moving:
        return
    if state == NEXT_STATE.get(line.state) and not order.pending_bumps and not order.was_recalled:
        # A bump was done whose answer never came.
        order.has_lost_answers = True
        line.began_at = clock.minute
        order.move_line(item["id"], state)
    if state != line.state:
        return  # another cook, the waiter or the guest was faster than this board
    if state == "ready" and order.planned.is_recalled and not order.was_recalled:
        async with order.lock:
            if order.status not in {"cancelled", "completed", "delivered"} and not order.was_recalled:
                await _move_item(ledger, clock, api, order, item["id"], "recall", state, "preparing")
    elif _is_due(clock, order, line, state):
        await _move_item(ledger, clock, api, order, item["id"], "bump", state, NEXT_STATE[state])


def _is_due(clock: EveningClock, order: Order, line: Line, state: str) -> bool:
    if state == "preparing":
        minutes = next(item.dish.minutes for item in order.store.items if item.id == line.item_id)
        return clock.minute >= line.began_at + minutes
    # What leaves the house waits at the counter; what is eaten here is carried to the table.
    return state == "queued" or order.planned.mode in IN_HOUSE_MODES


async def _get_state(ledger: EveningLedger, order: Order, line_id: int) -> str | None:
    record = await ledger.owner.do("GET", f"/restaurants/{order.store.id}/orders/{order.id}")
    return next((line["kds_status"] for line in record["items"] if line["id"] == line_id), None)


async def _move_item(
    ledger: EveningLedger, clock: EveningClock, api: Api, order: Order, line_id: int, act: str, state: str, after: str
) -> None:
    order.pending_bumps += 1
    try:
        answer = await api.ask("PUT", f"/staff/kds/items/{line_id}/{act}", {"expected_status": state})
        is_done = answer.is_repeated and await _get_state(ledger, order, line_id) == after
    finally:
        order.pending_bumps -= 1
    order.has_lost_answers = order.has_lost_answers or answer.is_repeated
    if answer.status == 200 or is_done:
        if not is_done and answer.document["status"] != after:
            ledger.add_difference(
                f"Order {order.id}: line {line_id} was {state}, {act} made it {answer.document['status']}"
            )
        if after == "preparing" and line_id in order.lines:
            order.lines[line_id].began_at = clock.minute
        order.was_recalled = order.was_recalled or act == "recall"
        order.move_line(line_id, after)
    elif answer.status == 409 or (answer.status == 404 and line_id not in order.lines):
        # Another cook had it in hand, or the order was cancelled, or the line voided, just now.
        ledger.refused_bumps += 1
    else:
        raise UnexpectedAnswer(f"{act} of line {line_id}: {answer.status} {answer.document}")
