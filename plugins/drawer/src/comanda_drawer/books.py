"""Cash payments and refunds, noted in the drawer that has the cash, in the transaction that books them."""

from comanda.contracts.payments import BookedPayment, PaymentBook
from comanda.db import sql
from comanda.errors import ValidationFailed

from comanda_drawer import locking
from comanda_drawer.models import MovementKind, ShiftStatus

IS_NOTED = """
    SELECT EXISTS (SELECT FROM drawer_movement
        WHERE payment_id = $1 AND owner_id = $2 AND refund_id IS NOT DISTINCT FROM $3)
"""
# The drawer that was named; else the one that its actor opened last; else the only one that is open.
CHOOSE = f"""
    WITH standing AS (
        SELECT id, drawer, opened_by FROM drawer_shift
        WHERE store_id = $1 AND owner_id = $2 AND status = '{ShiftStatus.OPEN}' AND currency = $3)
    SELECT id FROM standing
    WHERE CASE WHEN $4::text IS NOT NULL THEN lower(drawer) = lower($4)
        ELSE opened_by = $5 OR (SELECT count(*) FROM standing) = 1 END
    ORDER BY id DESC LIMIT 1
"""
NOTE = """
    INSERT INTO drawer_movement
        (owner_id, store_id, shift_id, kind, amount_minor, order_id, payment_id, refund_id, actor, booked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
"""


async def taken(payment: BookedPayment) -> None:
    """Note cash that was taken for an order. A repeat notes nothing.

    Without an open drawer that can be told to have it, the cash is noted as unassigned. Raises ``ValidationFailed``
    for a drawer that was named and is not open.
    """
    await _book(payment, MovementKind.PAYMENT, payment.amount_minor)


async def returned(refund: BookedPayment) -> None:
    """Note cash that was given back, as ``taken`` does.

    Raises ``Conflict`` too, where the operator refuses to give back more than there should be.
    """
    await _book(refund, MovementKind.REFUND, -refund.amount_minor)


async def _book(payment: BookedPayment, kind: MovementKind, amount_minor: int) -> None:
    if await sql.fetch_value(IS_NOTED, payment.payment_id, payment.owner_id, payment.refund_id):
        return
    shift_id = await _shift_for(payment)
    if shift_id is not None and amount_minor < 0:
        await locking.check_enough(payment.owner_id, shift_id, -amount_minor)
    of = (payment.owner_id, payment.store_id, shift_id, kind.value, amount_minor, payment.order_id)
    await sql.execute(NOTE, *of, payment.payment_id, payment.refund_id, payment.actor, payment.booked_at)


async def _shift_for(payment: BookedPayment) -> int | None:
    """Lock the shift that the cash belongs to, and return its id."""
    of = (payment.store_id, payment.owner_id, payment.currency, payment.drawer, payment.actor)
    while (shift_id := await sql.fetch_value(CHOOSE, *of)) is not None:
        # It may be closed at this very moment; then the choice is among those that are left.
        if await locking.lock_open(payment.owner_id, shift_id):
            return int(shift_id)
    if payment.drawer is not None:
        raise ValidationFailed(drawer=[f"The drawer {payment.drawer} is not open."])
    return None


BOOK = PaymentBook("drawer", ("cash",), taken, returned)
