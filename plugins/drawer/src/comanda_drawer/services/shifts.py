"""Opening and closing of shifts."""

from comanda.basics import Conflict, Sentence, clock, money
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult
from comanda.platform.db import KeyedTable, sql
from comanda.platform.events import publish
from comanda.stores import require_store

from comanda_drawer.events import ShiftClosed, ShiftOpened
from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.records import ShiftReport
from comanda_drawer.schemas import CloseBody, ShiftBody
from comanda_drawer.services import shift_locks, shift_reports

# A conflict is a drawer that is already open, or another request with the same key.
INSERT_SHIFT = f"""
    WITH made AS (
        INSERT INTO drawer_shift (owner_id, store_id, drawer, currency, status, opened_by, opened_at,
            opening_float_minor, open_key, open_hash)
        VALUES ($1, $2, $3, $4, '{ShiftStatus.OPEN}', $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id),
    opening AS (
        INSERT INTO drawer_movement (owner_id, store_id, shift_id, kind, amount_minor, actor, booked_at)
        SELECT $1, $2, id, '{MovementKind.OPENING}', $7, $5, $6 FROM made)
    SELECT id FROM made
"""
CLOSE_SHIFT = f"""
    UPDATE drawer_shift SET status = '{ShiftStatus.CLOSED}', closed_by = $3, closed_at = $4, expected_minor = $5,
        counted_minor = $6, difference_minor = $6::bigint - $5::numeric, note = $7, close_key = $8, close_hash = $9
    WHERE id = $1 AND owner_id = $2
"""
OPENING_KEYS = KeyedTable("drawer_shift", "store_id", key="open_key", body_hash="open_hash")
CLOSING_KEYS = KeyedTable("drawer_shift", "id", key="close_key", body_hash="close_hash")


async def open_shift(
    caller: Caller, store_id: int, body: ShiftBody, key: IdempotencyKey
) -> IdempotentResult[ShiftReport]:
    """Open a shift of a drawer; a repeated ``key`` returns the shift that the first request opened.

    Emits ``ShiftOpened``. Raises ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``drawer_open``.
    """
    store = await require_store(caller, store_id)

    async def load(shift_id: int) -> ShiftReport:
        return await shift_reports.get_shift(caller, store_id, shift_id)

    return await OPENING_KEYS.create_once(
        caller.owner_id, store_id, key, lambda: _insert_shift(caller, store, body, key), load
    )


async def close_shift(
    caller: Caller, store_id: int, shift_id: int, body: CloseBody, key: IdempotencyKey
) -> IdempotentResult[ShiftReport]:
    """Close a shift with the counted cash; a repeated ``key`` changes nothing.

    The expected cash is the sum of its movements; no movement is recorded after it. Emits ``ShiftClosed``. Raises
    ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``shift_closed``.
    """
    await require_store(caller, store_id)

    async def create() -> int:
        async with sql.transaction():
            shift = await shift_locks.lock_shift(caller.owner_id, store_id, shift_id)
            if shift["status"] == ShiftStatus.CLOSED:
                raise shift_locks.build_closed_error()
            await _close_shift(caller, shift, body, key)
        return shift_id

    async def load(_: int) -> ShiftReport:
        return await shift_reports.get_shift(caller, store_id, shift_id)

    return await CLOSING_KEYS.create_once(caller.owner_id, shift_id, key, create, load)


async def _insert_shift(caller: Caller, store: sql.Row, body: ShiftBody, key: IdempotencyKey) -> int:
    opening = money.parse_amount(body.opening_float, store["currency"], "opening_float")
    of = (caller.owner_id, store["id"], body.drawer, store["currency"], caller.actor)
    moment = clock.now()
    async with sql.transaction():
        shift_id: int | None = await sql.fetch_value(INSERT_SHIFT, *of, moment, opening, key.text, key.body_hash)
        if shift_id is None:
            raise Conflict(
                Sentence("The drawer %(drawer)s already has an open shift.", drawer=body.drawer),
                extras={"reason": "drawer_open"},
            )
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


async def _close_shift(caller: Caller, shift: sql.Row, body: CloseBody, key: IdempotencyKey) -> None:
    counted = money.parse_amount(body.counted, shift["currency"], "counted")
    expected = await shift_locks.get_expected_minor(caller.owner_id, shift["id"])
    moment = clock.now()
    of = (shift["id"], caller.owner_id, caller.actor, moment)
    await sql.execute(CLOSE_SHIFT, *of, expected, counted, body.note or None, key.text, key.body_hash)

    def to_text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, shift["currency"])

    event = ShiftClosed(
        shift_id=shift["id"],
        restaurant_id=shift["store_id"],
        **{name: shift[name] for name in ("drawer", "currency", "opened_by", "opened_at")},
        opening_float=to_text(shift["opening_float_minor"]),
        closed_by=caller.actor,
        closed_at=moment,
        expected=to_text(expected),
        counted=to_text(counted),
        difference=to_text(counted - expected),
    )
    await publish(event, owner_id=caller.owner_id, store_id=shift["store_id"])
