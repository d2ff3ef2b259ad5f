"""Cash put into or taken out of a drawer by hand."""

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.stores.services import require_store

from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.schemas import MovementBody
from comanda_drawer.services import shift_locks
from comanda_drawer.services.amounts import parse_amount
from comanda_drawer.services.records import MOVEMENT_COLUMNS, to_movement_record

SELECT_MOVEMENT_BY_KEY = f"""
    SELECT {MOVEMENT_COLUMNS} FROM drawer_movement WHERE shift_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""
INSERT_MOVEMENT = f"""
    INSERT INTO drawer_movement
        (owner_id, store_id, shift_id, kind, amount_minor, actor, note, booked_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING {MOVEMENT_COLUMNS}
"""


async def create_movement(
    caller: Caller, store_id: int, shift_id: int, body: MovementBody, key: IdempotencyKey
) -> IdempotentResult:
    """Record a cash movement in an open shift; a repeated ``key`` returns the first movement.

    Raises ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``shift_closed``, or ``drawer_short`` if the
    settings refuse to take out more than the drawer should hold.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        shift = await shift_locks.lock_shift(caller.owner_id, store_id, shift_id)
        earlier = await sql.fetch_one(SELECT_MOVEMENT_BY_KEY, shift_id, caller.owner_id, key.text) if key.text else None
        movement = earlier or await _create_movement(caller, shift, body, key)
    record = to_movement_record(movement, shift["currency"])
    return IdempotentResult(record, earlier is not None, earlier is not None and earlier["body_hash"] != key.body_hash)


async def _create_movement(caller: Caller, shift: sql.Row, body: MovementBody, key: IdempotencyKey) -> sql.Row:
    if shift["status"] != ShiftStatus.OPEN:
        raise shift_locks.build_closed_error()
    amount = _parse_amount_minor(body, shift["currency"])
    if amount < 0:
        await shift_locks.check_cash_available(caller.owner_id, shift["id"], -amount)
    values = (caller.owner_id, shift["store_id"], shift["id"], body.kind, amount, caller.actor, body.note or None)
    return await sql.one(INSERT_MOVEMENT, *values, clock.now(), key.text, key.body_hash)


def _parse_amount_minor(body: MovementBody, currency: str) -> int:
    amount = parse_amount(body.amount or 0, currency, "amount")
    if body.kind is MovementKind.NO_SALE:
        if amount:
            raise ValidationFailed(amount=["Must be 0 for no_sale."])
        return 0
    if amount == 0:
        raise ValidationFailed(amount=["Must be greater than 0."])
    return amount if body.kind is MovementKind.PAID_IN else -amount
