"""Cash that drivers took at doors, handed in at an open drawer."""

from typing import Any

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.events.outbox import publish
from comanda.stores import references
from comanda.stores.services import require_store
from comanda_payments.api import lock_driver_cash, take_handed_in

from comanda_drawer import locking
from comanda_drawer.amounts import minor
from comanda_drawer.events import DriverCashHandedIn
from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.movements import REPEATED
from comanda_drawer.reading import SHIFT
from comanda_drawer.records import MOVEMENT_COLUMNS, movement_record
from comanda_drawer.schemas import DriverCashBody

ADD = f"""
    INSERT INTO drawer_movement (owner_id, store_id, shift_id, kind, amount_minor, driver_id, actor, note, booked_at,
        idempotency_key, body_hash)
    VALUES ($1, $2, $3, '{MovementKind.DRIVER_CASH}', $4, $5, $6, $7, $8, $9, $10) RETURNING {MOVEMENT_COLUMNS}
"""


async def hand_in(
    caller: Caller, store_id: int, shift_id: int, body: DriverCashBody, key: IdempotencyKey
) -> IdempotentResult:
    """Book cash that a driver hands in into an open shift; a repeat of ``key`` gets the first movement.

    Emits ``DriverCashHandedIn``. Raises ``NotFound``; ``ValidationFailed`` for more than the driver holds, and for a
    driver who is not the owner's; ``Conflict`` with the reason ``nothing_held`` or ``shift_closed``.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        shift = await sql.fetch_one(SHIFT, shift_id, caller.owner_id, store_id)
        if shift is None:
            raise NotFound
        # Refunds lock a driver's cash before a drawer too.
        held = await lock_driver_cash(caller.owner_id, store_id, body.driver_id, shift["currency"])
        shift = await locking.lock(caller.owner_id, store_id, shift_id)
        if held is None:
            await references.check_references("driver", "driver_id", caller.owner_id, store_id, [body.driver_id])
        earlier = await sql.fetch_one(REPEATED, shift_id, caller.owner_id, key.text) if key.text else None
        made = earlier or await _add(caller, shift, held, body, key)
    record = movement_record(made, shift["currency"])
    return IdempotentResult(record, earlier is not None, earlier is not None and earlier["body_hash"] != key.body_hash)


async def _add(
    caller: Caller, shift: sql.Row, held: sql.Row | None, body: DriverCashBody, key: IdempotencyKey
) -> sql.Row:
    if shift["status"] != ShiftStatus.OPEN:
        raise locking.closed()
    if held is None or held["balance_minor"] == 0:
        raise Conflict("This driver has no cash to hand in.", extras={"reason": "nothing_held"})
    amount = _amount(body, held)
    left = await take_handed_in(caller.owner_id, held["id"], amount, caller.actor)
    of = (caller.owner_id, shift["store_id"], shift["id"], amount, body.driver_id, caller.actor, body.note or None)
    made = await sql.fetch_one(ADD, *of, clock.now(), key.text, key.body_hash)
    assert made is not None  # noqa: S101 - an insert returns its row
    await publish(_event(shift, made, left), owner_id=caller.owner_id, store_id=shift["store_id"])
    return made


def _amount(body: DriverCashBody, held: sql.Row) -> int:
    whole: int = held["balance_minor"]
    if body.amount is None:
        return whole
    amount = minor(body.amount, held["currency"], "amount")
    if amount == 0:
        raise ValidationFailed(amount=["Must be greater than 0."])
    if amount > whole:
        most = f"{money.to_decimal_string(whole, held['currency'])} {held['currency']}"
        raise ValidationFailed(amount=[f"This driver has {most} to hand in. Book what is over as paid_in."])
    return amount


def _event(shift: sql.Row, made: sql.Row, left_minor: int) -> DriverCashHandedIn:
    def text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, shift["currency"])

    same: dict[str, Any] = {"drawer": shift["drawer"], "currency": shift["currency"], "driver_id": made["driver_id"]}
    return DriverCashHandedIn(
        movement_id=made["id"],
        shift_id=shift["id"],
        restaurant_id=shift["store_id"],
        amount=text(made["amount_minor"]),
        left=text(left_minor),
        taken_by=made["actor"],
        at=made["booked_at"],
        **same,
    )
