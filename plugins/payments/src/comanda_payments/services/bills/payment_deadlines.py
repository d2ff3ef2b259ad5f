"""Orders that guests have to pay before they are made: those that are not paid in time are cancelled."""

from datetime import datetime
from typing import Final

import structlog
from comanda.basics import Conflict, Unavailable, ValidationFailed, clock
from comanda.contracts import ExcessRefund, Status
from comanda.orders import AWAITS_PAYMENT, status
from comanda.platform.db import sql

from comanda_payments.models import TenderStatus
from comanda_payments.services.providers import hosted_payments
from comanda_payments.services.providers.due_checks import claim_each
from comanda_payments.services.refunding import refunds

log = structlog.get_logger(__name__)

ACTOR: Final = "payments"
REASON: Final = "Not paid in time"

INSERT_DEADLINE: Final = "INSERT INTO payments_deadline (order_id, owner_id, check_at) VALUES ($1, $2, $3)"
SELECT_DUE: Final = """
    SELECT order_id AS id, owner_id FROM payments_deadline WHERE check_at <= $1 ORDER BY check_at LIMIT 100
"""
CLAIM: Final = """
    UPDATE payments_deadline SET check_at = $1 + interval '1 minute'
    WHERE order_id = $2 AND owner_id = $3 AND check_at <= $1 RETURNING order_id
"""
DELETE_DEADLINE: Final = "DELETE FROM payments_deadline WHERE order_id = $1 AND owner_id = $2"
SELECT_AWAITS_PAYMENT: Final = f"SELECT {AWAITS_PAYMENT} FROM core_order_v1 o WHERE o.id = $1 AND o.owner_id = $2"
SELECT_PENDING_PAYMENTS: Final = f"""
    SELECT id FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}' ORDER BY id
"""


async def set_deadline(owner_id: int, order_id: int, pay_by: datetime) -> None:
    """Cancel an order that is not paid by then, unless staff begin it."""
    await sql.execute(INSERT_DEADLINE, order_id, owner_id, pay_by)


async def cancel_unpaid_orders() -> None:
    """Cancel the orders whose time to pay is over. Emits ``OrderStatusChanged``."""
    async for row in claim_each(await sql.fetch(SELECT_DUE, clock.now()), CLAIM):
        owner_id, order_id = row["owner_id"], row["id"]
        try:
            await _end(owner_id, order_id)
        except Unavailable as error:  # the task tries again
            log.warning("unpaid_order_not_cancelled", order_id=order_id, error=str(error))
        except (Conflict, ValidationFailed) as error:
            # A part was paid in a way that somebody at the store has to give back, who then cancels the order too.
            log.warning("unpaid_order_left_to_staff", order_id=order_id, error=str(error))
            await sql.execute(DELETE_DEADLINE, order_id, owner_id)


async def _end(owner_id: int, order_id: int) -> None:
    """Close the open payment pages of an order, and cancel it unless it was paid or begun."""
    if await _awaits_payment(owner_id, order_id):
        for payment in await sql.fetch(SELECT_PENDING_PAYMENTS, order_id, owner_id):
            await hosted_payments.close_page(owner_id, payment["id"])
    async with sql.transaction():
        order = await status.lock_order(owner_id, order_id)
        if await _awaits_payment(owner_id, order_id):
            if await sql.fetch(SELECT_PENDING_PAYMENTS, order_id, owner_id):
                return  # one that was started at the last moment is closed by the next check
            cancelled = await status.change_status(order, Status.CANCELLED, actor=ACTOR, note=REASON)
            request = ExcessRefund(keep_minor=0, reason=REASON, actor=ACTOR, is_unattended=True)
            await refunds.refund_excess(cancelled, request)
        await sql.execute(DELETE_DEADLINE, order_id, owner_id)


async def _awaits_payment(owner_id: int, order_id: int) -> bool:
    return bool(await sql.fetch_value(SELECT_AWAITS_PAYMENT, order_id, owner_id))
