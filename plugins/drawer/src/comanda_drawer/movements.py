"""Cash that is put into a drawer or taken out of it by hand."""

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.stores.services import require_store

from comanda_drawer import locking
from comanda_drawer.amounts import minor
from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.records import MOVEMENT_COLUMNS, movement_record
from comanda_drawer.schemas import MovementBody

REPEATED = f"""
    SELECT {MOVEMENT_COLUMNS} FROM drawer_movement WHERE shift_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""
ADD = f"""
    INSERT INTO drawer_movement
        (owner_id, store_id, shift_id, kind, amount_minor, actor, note, booked_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING {MOVEMENT_COLUMNS}
"""


async def move(
    caller: Caller, store_id: int, shift_id: int, body: MovementBody, key: IdempotencyKey
) -> IdempotentResult:
    """Book cash into an open shift or out of it; a repeat of ``key`` gets the first movement.

    Raises ``NotFound``; ``ValidationFailed``; ``Conflict`` with the reason ``shift_closed``, or with ``drawer_short``
    where the operator refuses to take out more than there should be.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        shift = await locking.lock(caller.owner_id, store_id, shift_id)
        earlier = await sql.fetch_one(REPEATED, shift_id, caller.owner_id, key.text) if key.text else None
        made = earlier or await _add(caller, shift, body, key)
    record = movement_record(made, shift["currency"])
    return IdempotentResult(record, earlier is not None, earlier is not None and earlier["body_hash"] != key.body_hash)


async def _add(caller: Caller, shift: sql.Row, body: MovementBody, key: IdempotencyKey) -> sql.Row:
    if shift["status"] != ShiftStatus.OPEN:
        raise locking.closed()
    amount = _amount(body, shift["currency"])
    if amount < 0:
        await locking.check_enough(caller.owner_id, shift["id"], -amount)
    of = (caller.owner_id, shift["store_id"], shift["id"], body.kind, amount, caller.actor, body.note or None)
    made = await sql.fetch_one(ADD, *of, clock.now(), key.text, key.body_hash)
    assert made is not None  # noqa: S101 - an insert returns its row
    return made


def _amount(body: MovementBody, currency: str) -> int:
    amount = minor(body.amount or 0, currency, "amount")
    if body.kind is MovementKind.NO_SALE:
        if amount:
            raise ValidationFailed(amount=["Without a sale no cash comes or goes."])
        return 0
    if amount == 0:
        raise ValidationFailed(amount=["Say how much was put in or taken out."])
    return amount if body.kind is MovementKind.PAID_IN else -amount
