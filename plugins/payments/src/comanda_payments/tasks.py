"""The background task of payments."""

from comanda_payments.services import hosted_payments, refund_settlement


async def reconcile() -> None:
    """Check pending payments and refunds with their providers."""
    await hosted_payments.check_due_payments()
    await refund_settlement.check_due_parts()
