"""Bills of subscriptions: the invoice of a period or of a change of plan, and its collection.

Everything runs in the transaction of the step that it belongs to, so a step and its invoice happen both or not at all.
The reference of an invoice names the change of the subscription that it is for, which makes it unique.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from comanda_reseller.models import Account, InvoiceIssuer, Plan, Subscription, SubscriptionStatus
from comanda_reseller.records.invoices import Collection, NewInvoice, NewLine, Period
from comanda_reseller.services.invoices import invoices
from comanda_reseller.services.invoices.invoice_rows import get_invoice
from comanda_reseller.services.subscriptions.interventions import Proration
from comanda_reseller.services.subscriptions.lifecycle import Bill

UNPAID: Final = "The subscription ended before this was paid."


async def bill_period(model: Subscription, plan: Plan, period: Period, at: datetime) -> Bill | None:
    """Invoice a period of a locked subscription and collect it; a plan that costs nothing has no invoices."""
    if plan.price_minor == 0:
        return None
    line = NewLine(plan.name, plan.price_minor, period_start=period.start, period_end=period.end)
    return await _bill(model, [line], period, at)


async def bill_plan_change(
    model: Subscription, old: Plan, new: Plan, proration: Proration, period: Period, at: datetime
) -> Bill | None:
    """Invoice the rest of a period on a dearer plan, less the rest of what was paid for the old one."""
    lines = [
        NewLine(name, amount, period_start=at, period_end=period.end)
        for name, amount in (
            (f"{old.name}: unused time", -proration.credit_minor),
            (f"{new.name}: remaining time", proration.price_minor),
        )
        if amount
    ]
    return await _bill(model, lines, Period(at, period.end), at) if lines else None


async def collect_again(model: Subscription, at: datetime) -> Bill:
    """Try to collect the open invoice of a locked subscription."""
    if model.open_invoice_id is None:
        return Bill(Collection.PAID, None, at)
    invoice = await get_invoice(model.owner_id, model.open_invoice_id)
    return Bill(await invoices.collect_invoice(invoice, at), invoice.id, invoice.due_at)


async def write_off_unpaid(model: Subscription, at: datetime) -> None:
    """Write off the open invoice of a locked subscription that ends because it was not paid."""
    if model.status == SubscriptionStatus.PAST_DUE and model.open_invoice_id is not None:
        await invoices.write_off_invoice(model.owner_id, model.open_invoice_id, UNPAID, at)


async def _bill(model: Subscription, lines: Sequence[NewLine], period: Period, at: datetime) -> Bill:
    account = await Account.get(owner_id=model.owner_id)
    new = NewInvoice(
        lines=lines,
        currency=model.currency,
        period_start=period.start,
        period_end=period.end,
        issued_at=at,
        due_at=at + timedelta(days=account.due_days),
        reference=f"subscription:{model.id}:{model.version + 1}",
        subscription_id=model.id,
    )
    issued = await invoices.issue_invoice(model.owner_id, InvoiceIssuer.RESELLER, model.customer_owner_id, new)
    return Bill(await invoices.collect_invoice(issued, at), issued.id, issued.due_at)
