"""The payment book of cash: payments and refunds recorded in a drawer, in the transaction that books them."""

from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import BookedPayment, PaymentBook
from comanda.platform.db import sql

from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.services import shift_locks

SELECT_IS_RECORDED = """
    SELECT EXISTS (SELECT FROM drawer_movement
        WHERE payment_id = $1 AND owner_id = $2 AND refund_id IS NOT DISTINCT FROM $3)
"""
# The named drawer; else the one its actor opened last; else the only open one.
SELECT_OPEN_SHIFT = f"""
    WITH standing AS (
        SELECT id, drawer, opened_by FROM drawer_shift
        WHERE store_id = $1 AND owner_id = $2 AND status = '{ShiftStatus.OPEN}' AND currency = $3)
    SELECT id FROM standing
    WHERE CASE WHEN $4::text IS NOT NULL THEN lower(drawer) = lower($4)
        ELSE opened_by = $5 OR (SELECT count(*) FROM standing) = 1 END
    ORDER BY id DESC LIMIT 1
"""
INSERT_MOVEMENT = """
    INSERT INTO drawer_movement
        (owner_id, store_id, shift_id, kind, amount_minor, order_id, payment_id, refund_id, actor, booked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
"""


async def record_payment(payment: BookedPayment) -> None:
    """Record cash that was taken for an order; idempotent.

    If no open drawer can be determined, the cash is recorded as unassigned. Raises ``ValidationFailed`` if the named
    drawer is not open.
    """
    await _record_movement(payment, MovementKind.PAYMENT, payment.amount_minor)


async def record_refund(refund: BookedPayment) -> None:
    """Record cash that was refunded, as ``record_payment`` does.

    Also raises ``Conflict`` if the settings refuse to take out more than the drawer should hold.
    """
    await _record_movement(refund, MovementKind.REFUND, -refund.amount_minor)


async def _record_movement(payment: BookedPayment, kind: MovementKind, amount_minor: int) -> None:
    if await sql.fetch_value(SELECT_IS_RECORDED, payment.payment_id, payment.owner_id, payment.refund_id):
        return
    shift_id = await _lock_shift(payment)
    if shift_id is not None and amount_minor < 0:
        await shift_locks.check_cash_available(payment.owner_id, shift_id, -amount_minor)
    values = (payment.owner_id, payment.store_id, shift_id, kind.value, amount_minor, payment.order_id)
    await sql.execute(INSERT_MOVEMENT, *values, payment.payment_id, payment.refund_id, payment.actor, payment.booked_at)


async def _lock_shift(payment: BookedPayment) -> int | None:
    """Lock the shift that the cash belongs to and return its id."""
    values = (payment.store_id, payment.owner_id, payment.currency, payment.drawer, payment.actor)
    while (shift_id := await sql.fetch_value(SELECT_OPEN_SHIFT, *values)) is not None:
        # It may be closed concurrently; then choose among the remaining ones.
        if await shift_locks.lock_open_shift(payment.owner_id, shift_id):
            return int(shift_id)
    if payment.drawer is not None:
        raise ValidationFailed(drawer=[Sentence("The drawer %(drawer)s is not open.", drawer=payment.drawer)])
    return None


DRAWER_BOOK = PaymentBook("drawer", ("cash",), record_payment, record_refund)
