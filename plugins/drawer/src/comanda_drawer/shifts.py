"""Opening drawers, and counting them at the end of a shift."""

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql
from comanda.errors import Conflict
from comanda.events.outbox import publish
from comanda.stores.services import require_store

from comanda_drawer import locking, reading
from comanda_drawer.amounts import minor
from comanda_drawer.events import ShiftClosed, ShiftOpened
from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.records import SHIFT_COLUMNS
from comanda_drawer.schemas import CloseBody, ShiftBody

# A conflict is a drawer that is open already, or another request of the same key.
OPEN = f"""
    WITH made AS (
        INSERT INTO drawer_shift (owner_id, store_id, drawer, currency, status, opened_by, opened_at,
            opening_float_minor, open_key, open_hash)
        VALUES ($1, $2, $3, $4, '{ShiftStatus.OPEN}', $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id),
    opening AS (
        INSERT INTO drawer_movement (owner_id, store_id, shift_id, kind, amount_minor, actor, booked_at)
        SELECT $1, $2, id, '{MovementKind.OPENING}', $7, $5, $6 FROM made)
    SELECT id FROM made
"""
CLOSE = f"""
    UPDATE drawer_shift SET status = '{ShiftStatus.CLOSED}', closed_by = $3, closed_at = $4, expected_minor = $5,
        counted_minor = $6, difference_minor = $6::bigint - $5::numeric, note = $7, close_key = $8, close_hash = $9
    WHERE id = $1 AND owner_id = $2
"""
REPEATED = f"""
    SELECT {SHIFT_COLUMNS} FROM drawer_shift s WHERE s.store_id = $1 AND s.owner_id = $2 AND s.open_key = $3
"""


async def open_shift(caller: Caller, store_id: int, body: ShiftBody, key: IdempotencyKey) -> IdempotentResult:
    """Open a drawer with the cash that is in it; a repeat of ``key`` gets the shift that the first one opened.

    Emits ``ShiftOpened``. Raises ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``drawer_open``.
    """
    store = await require_store(caller, store_id)
    earlier = await _opened_with(caller, store_id, key)
    if earlier is None:
        shift_id = await _open(caller, store, body, key)
        if shift_id is not None:
            return IdempotentResult(await reading.shift(caller, store_id, shift_id))
        # Another request of this key may have been quicker by a moment.
        earlier = await _opened_with(caller, store_id, key)
    if earlier is None:
        raise Conflict(f"The drawer {body.drawer} has an open shift.", extras={"reason": "drawer_open"})
    record = await reading.shift(caller, store_id, earlier["id"])
    return IdempotentResult(record, is_replay=True, is_mismatch=earlier["open_hash"] != key.body_hash)


async def close_shift(
    caller: Caller, store_id: int, shift_id: int, body: CloseBody, key: IdempotencyKey
) -> IdempotentResult:
    """Close a shift with the cash that was counted; a repeat of ``key`` changes nothing more.

    What is expected is what its movements add up to; none is booked in it any more. Emits ``ShiftClosed``. Raises
    ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``shift_closed``.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        found = await locking.lock(caller.owner_id, store_id, shift_id)
        is_replay = found["status"] == ShiftStatus.CLOSED
        if is_replay and (key.text is None or found["close_key"] != key.text):
            raise locking.closed()
        if not is_replay:
            await _close(caller, found, body, key)
    record = await reading.shift(caller, store_id, shift_id)
    return IdempotentResult(record, is_replay, is_replay and found["close_hash"] != key.body_hash)


async def _opened_with(caller: Caller, store_id: int, key: IdempotencyKey) -> sql.Row | None:
    return await sql.fetch_one(REPEATED, store_id, caller.owner_id, key.text) if key.text else None


async def _open(caller: Caller, store: sql.Row, body: ShiftBody, key: IdempotencyKey) -> int | None:
    opening = minor(body.opening_float, store["currency"], "opening_float")
    of = (caller.owner_id, store["id"], body.drawer, store["currency"], caller.actor)
    moment = clock.now()
    async with sql.transaction():
        shift_id: int | None = await sql.fetch_value(OPEN, *of, moment, opening, key.text, key.body_hash)
        if shift_id is not None:
            event = ShiftOpened(
                shift_id=shift_id,
                restaurant_id=store["id"],
                drawer=body.drawer,
                currency=store["currency"],
                opened_by=caller.actor,
                opened_at=moment,
                opening_float=money.to_decimal_string(opening, store["currency"]),
            )
            await publish(event, owner_id=caller.owner_id, store_id=store["id"])
    return shift_id


async def _close(caller: Caller, shift: sql.Row, body: CloseBody, key: IdempotencyKey) -> None:
    counted = minor(body.counted, shift["currency"], "counted")
    expected = await locking.expected_minor(caller.owner_id, shift["id"])
    moment = clock.now()
    of = (shift["id"], caller.owner_id, caller.actor, moment)
    await sql.execute(CLOSE, *of, expected, counted, body.note or None, key.text, key.body_hash)

    def text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, shift["currency"])

    event = ShiftClosed(
        shift_id=shift["id"],
        restaurant_id=shift["store_id"],
        **{name: shift[name] for name in ("drawer", "currency", "opened_by", "opened_at")},
        opening_float=text(shift["opening_float_minor"]),
        closed_by=caller.actor,
        closed_at=moment,
        expected=text(expected),
        counted=text(counted),
        difference=text(counted - expected),
    )
    await publish(event, owner_id=caller.owner_id, store_id=shift["store_id"])
