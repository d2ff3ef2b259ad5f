"""Cash that drivers collected and hand in at an open drawer."""

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, money
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult
from comanda.platform.db import sql
from comanda.platform.events import publish
from comanda.stores import references
from comanda_payments.api import hand_in_driver_cash, lock_driver_cash

from comanda_drawer.events import DriverCashHandedIn
from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.records import Movement
from comanda_drawer.schemas import DriverCashBody
from comanda_drawer.services import shift_locks
from comanda_drawer.services.movements import MOVEMENT_KEYS, get_movement
from comanda_drawer.services.rows import MOVEMENT_COLUMNS
from comanda_drawer.services.shift_reports import get_shift_row

INSERT_MOVEMENT = f"""
    INSERT INTO drawer_movement (owner_id, store_id, shift_id, kind, amount_minor, driver_id, actor, note, booked_at,
        idempotency_key, body_hash)
    VALUES ($1, $2, $3, '{MovementKind.DRIVER_CASH}', $4, $5, $6, $7, $8, $9, $10) RETURNING {MOVEMENT_COLUMNS}
"""


async def hand_in_cash(
    caller: Caller, store_id: int, shift_id: int, body: DriverCashBody, key: IdempotencyKey
) -> IdempotentResult[Movement]:
    """Record cash that a driver hands in at an open shift; a repeated ``key`` returns the first movement.

    Emits ``DriverCashHandedIn``. Raises ``NotFound``; ``ValidationFailed`` for more than the driver holds, or another
    owner's driver; ``Conflict`` with the reason ``nothing_held`` or ``shift_closed``.
    """
    shift = await get_shift_row(caller, store_id, shift_id)

    async def create() -> int:
        async with sql.transaction():
            # Refunds lock a driver's cash before a drawer, too.
            held = await lock_driver_cash(caller.owner_id, store_id, body.driver_id, shift["currency"])
            locked = await shift_locks.lock_shift(caller.owner_id, store_id, shift_id)
            if held is None:
                await references.check_references("driver", "driver_id", caller.owner_id, store_id, [body.driver_id])
            return await _insert_movement(caller, locked, held, body, key)

    async def load(movement_id: int) -> Movement:
        return await get_movement(caller.owner_id, movement_id, shift["currency"])

    return await MOVEMENT_KEYS.create_once(caller.owner_id, shift_id, key, create, load)


async def _insert_movement(
    caller: Caller, shift: sql.Row, held: sql.Row | None, body: DriverCashBody, key: IdempotencyKey
) -> int:
    if shift["status"] != ShiftStatus.OPEN:
        raise shift_locks.build_closed_error()
    if held is None or held["balance_minor"] == 0:
        raise Conflict(Sentence("This driver has no cash to hand in."), extras={"reason": "nothing_held"})
    amount = _parse_amount_minor(body, held)
    left = await hand_in_driver_cash(caller.owner_id, held["id"], amount, caller.actor)
    values = (caller.owner_id, shift["store_id"], shift["id"], amount, body.driver_id, caller.actor, body.note or None)
    movement = await sql.one(INSERT_MOVEMENT, *values, clock.now(), key.text, key.body_hash)
    await publish(_build_event(shift, movement, left), owner_id=caller.owner_id, store_id=shift["store_id"])
    return int(movement["id"])


def _parse_amount_minor(body: DriverCashBody, held: sql.Row) -> int:
    balance: int = held["balance_minor"]
    if body.amount is None:
        return balance
    amount = money.parse_amount(body.amount, held["currency"], "amount")
    if amount == 0:
        raise ValidationFailed(amount=[Sentence("Must be greater than 0.")])
    if amount > balance:
        held_amount = f"{money.to_decimal_string(balance, held['currency'])} {held['currency']}"
        raise ValidationFailed(
            amount=[Sentence("This driver holds %(amount)s. Record any surplus as paid_in.", amount=held_amount)]
        )
    return amount


def _build_event(shift: sql.Row, movement: sql.Row, left_minor: int) -> DriverCashHandedIn:
    def to_text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, shift["currency"])

    return DriverCashHandedIn(
        movement_id=movement["id"],
        shift_id=shift["id"],
        restaurant_id=shift["store_id"],
        drawer=shift["drawer"],
        driver_id=movement["driver_id"],
        currency=shift["currency"],
        amount=to_text(movement["amount_minor"]),
        left=to_text(left_minor),
        taken_by=movement["actor"],
        at=movement["booked_at"],
    )
