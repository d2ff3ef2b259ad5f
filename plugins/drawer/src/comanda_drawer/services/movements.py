"""Cash put into or taken out of a drawer by hand."""

from comanda.basics import Sentence, ValidationFailed, clock, money
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult
from comanda.platform.db import KeyedTable, sql

from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.records import Movement
from comanda_drawer.schemas import MovementBody
from comanda_drawer.services import shift_locks, shift_reports
from comanda_drawer.services.rows import MOVEMENT_COLUMNS, to_movement

SELECT_MOVEMENT = f"SELECT {MOVEMENT_COLUMNS} FROM drawer_movement WHERE id = $1 AND owner_id = $2"
MOVEMENT_KEYS = KeyedTable("drawer_movement", "shift_id")
INSERT_MOVEMENT = """
    INSERT INTO drawer_movement
        (owner_id, store_id, shift_id, kind, amount_minor, actor, note, booked_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id
"""


async def create_movement(
    caller: Caller, store_id: int, shift_id: int, body: MovementBody, key: IdempotencyKey
) -> IdempotentResult[Movement]:
    """Record a cash movement in an open shift; a repeated ``key`` returns the first movement.

    Raises ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``shift_closed``, or ``drawer_short`` if the
    settings refuse to take out more than the drawer should hold.
    """
    shift = await shift_reports.get_shift_row(caller, store_id, shift_id)

    async def create() -> int:
        async with sql.transaction():
            locked = await shift_locks.lock_shift(caller.owner_id, store_id, shift_id)
            return await _insert_movement(caller, locked, body, key)

    async def load(movement_id: int) -> Movement:
        return await get_movement(caller.owner_id, movement_id, shift["currency"])

    return await MOVEMENT_KEYS.create_once(caller.owner_id, shift_id, key, create, load)


async def get_movement(owner_id: int, movement_id: int, currency: str) -> Movement:
    """Return a cash movement."""
    return to_movement(await sql.one(SELECT_MOVEMENT, movement_id, owner_id), currency)


async def _insert_movement(caller: Caller, shift: sql.Row, body: MovementBody, key: IdempotencyKey) -> int:
    if shift["status"] != ShiftStatus.OPEN:
        raise shift_locks.build_closed_error()
    amount = _parse_amount_minor(body, shift["currency"])
    if amount < 0:
        await shift_locks.check_cash_available(caller.owner_id, shift["id"], -amount)
    values = (caller.owner_id, shift["store_id"], shift["id"], body.kind, amount, caller.actor, body.note or None)
    movement_id: int = await sql.fetch_value(INSERT_MOVEMENT, *values, clock.now(), key.text, key.body_hash)
    return movement_id


def _parse_amount_minor(body: MovementBody, currency: str) -> int:
    amount = money.parse_amount(body.amount or 0, currency, "amount")
    if body.kind is MovementKind.NO_SALE:
        if amount:
            raise ValidationFailed(amount=[Sentence("Must be 0 for no_sale.")])
        return 0
    if amount == 0:
        raise ValidationFailed(amount=[Sentence("Must be greater than 0.")])
    return amount if body.kind is MovementKind.PAID_IN else -amount
