"""The background tasks of payments."""

from comanda_payments.services import account_checks, hosted_payments, refund_settlement


async def reconcile() -> None:
    """Check pending payments and refunds with their providers."""
    await hosted_payments.check_due_payments()
    await refund_settlement.check_due_parts()


async def check_accounts() -> None:
    """Check payment accounts with their providers."""
    await account_checks.check_due_accounts()
