"""The background tasks of payments."""

from comanda_payments.services.accounts import account_checks
from comanda_payments.services.bills import payment_deadlines
from comanda_payments.services.prepaid import prepayment_checkout
from comanda_payments.services.providers import hosted_payments
from comanda_payments.services.refunding import refund_settlement


async def reconcile() -> None:
    """Check pending payments and refunds with their providers, and cancel what nobody has paid in time."""
    await hosted_payments.check_due_payments()
    await payment_deadlines.cancel_unpaid_orders()
    await prepayment_checkout.cancel_due_prepayments()
    await refund_settlement.check_due_parts()


async def check_accounts() -> None:
    """Check payment accounts with their providers."""
    await account_checks.check_due_accounts()
