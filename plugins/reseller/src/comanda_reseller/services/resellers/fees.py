"""What resellers owe the platform: each month a price for every subscription that runs, less their tier's discount.

Months are counted from the day on which the account became a reseller. A subscription counts if it was paid for and
had not ended when the month did: active, past due, or cancelled and still running. Trials and pauses cost nothing, and
a month without such a subscription has no invoice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from comanda.basics import PPM_OF_WHOLE, clock, get_exponent, round_half_up, to_percent, to_ppm
from comanda.contracts import ClaimedRow, LeasedQueue, QueueLimits, QueueTable, QueueWork, RowResult
from comanda.platform.db import sql
from comanda_wallet.api import get_currency

from comanda_reseller.models import Account, Interval, InvoiceIssuer, InvoiceKind, InvoiceStatus
from comanda_reseller.records.invoices import Invoice, NewInvoice, NewLine
from comanda_reseller.services.invoices.collection import collect_invoice
from comanda_reseller.services.invoices.invoice_rows import INVOICE_COLUMNS, to_invoices
from comanda_reseller.services.invoices.invoices import issue_invoice
from comanda_reseller.services.resellers import tiers
from comanda_reseller.services.subscriptions.periods import add_periods
from comanda_reseller.settings import TierSetting, get_settings

QUEUE_NAME: Final = "reseller_fees"
# Steps of subscriptions that were due before the month ended are taken first, unless they keep failing.
MAX_FAILED_ATTEMPTS: Final = 10

COUNT_RUNNING: Final = """
    SELECT count(*) FROM reseller_subscription s JOIN LATERAL (
        SELECT c.status FROM reseller_change c
        WHERE c.subscription_id = s.id AND c.owner_id = s.owner_id AND c.occurred_at < $2
        ORDER BY c.version DESC LIMIT 1) latest ON true
    WHERE s.owner_id = $1 AND s.activated_at < $2 AND latest.status IN ('active', 'past_due', 'cancelled')
"""
HAS_EARLIER_STEPS: Final = """
    SELECT EXISTS (
        SELECT FROM reseller_subscription WHERE owner_id = $1 AND next_attempt_at < $2 AND attempts < $3)
"""
SELECT_OPEN: Final = f"""
    SELECT {INVOICE_COLUMNS} FROM reseller_invoice i
    WHERE i.owner_id = $1 AND i.issuer = '{InvoiceIssuer.PLATFORM}' AND i.kind = '{InvoiceKind.INVOICE}'
        AND i.status = '{InvoiceStatus.OPEN}'
    ORDER BY i.id
"""


async def bill_account(owner_id: int, now: datetime) -> bool:
    """Invoice every month of a reseller that has ended by ``now``, then collect what is open.

    Returns False, with nothing done for that month, while steps of subscriptions are still to be taken before its end.
    """
    while True:
        async with sql.transaction():
            account = await Account.filter(owner_id=owner_id).select_for_update(no_key=True).get()
            ends_at = account.fee_period_end
            if ends_at > now:
                break
            if await sql.fetch_value(HAS_EARLIER_STEPS, owner_id, ends_at, MAX_FAILED_ATTEMPTS):
                return False
            await _issue_invoice(account)
            await _begin_next_month(account)
    await _collect_open(owner_id, now)
    return True


def compute_lines(count: int, fee: Decimal, tier: TierSetting, currency: str) -> list[NewLine]:
    """Return the lines of a month: the price of the subscriptions, and the discount, each rounded once."""
    price_minor = round_half_up(*(fee.scaleb(get_exponent(currency)) * count).as_integer_ratio())
    discount_minor = round_half_up(price_minor * to_ppm(tier.discount_percent), PPM_OF_WHOLE)
    noun = "subscription" if count == 1 else "subscriptions"
    lines = [NewLine(f"{count} {noun} at {fee.normalize():f} {currency}", price_minor)]
    if discount_minor:
        percent = to_percent(to_ppm(tier.discount_percent))
        lines.append(NewLine(f"Discount of tier {tier.name}, {percent:g} %", -discount_minor))
    return lines


async def _issue_invoice(account: Account) -> None:
    """Issue the invoice of the month that has ended, unless nothing is owed."""
    owner_id, start, end = account.owner_id, account.fee_period_start, account.fee_period_end
    count = await sql.fetch_value(COUNT_RUNNING, owner_id, end)
    fee, currency = get_settings().fee_per_subscription, get_currency()
    if not count or not fee:
        return
    key = (await tiers.find_tier(account)).key
    tier = next(tier for tier in get_settings().tiers if tier.key == key)
    new = NewInvoice(
        lines=compute_lines(count, fee, tier, currency),
        currency=currency,
        period_start=start,
        period_end=end,
        issued_at=end,
        due_at=end + timedelta(days=get_settings().fee_due_days),
        reference=f"fee:{start.isoformat()}",
    )
    await issue_invoice(owner_id, InvoiceIssuer.PLATFORM, owner_id, new)


async def _begin_next_month(account: Account) -> None:
    # Counted from the anchor, so that a month which began on the 31st does so again after a shorter one.
    anchor, start = account.fee_anchor_at, account.fee_period_end
    number = (start.year - anchor.year) * 12 + start.month - anchor.month
    account.fee_period_start, account.fee_period_end = start, add_periods(anchor, Interval.MONTH, number + 1)
    await account.save(update_fields=["fee_period_start", "fee_period_end"])


async def _collect_open(owner_id: int, now: datetime) -> None:
    open_invoices: list[Invoice] = await to_invoices(owner_id, await sql.fetch(SELECT_OPEN, owner_id))
    for invoice in open_invoices:
        async with sql.transaction():
            await collect_invoice(invoice, max(now, invoice.issued_at))


async def _process(rows: Sequence[ClaimedRow]) -> list[RowResult]:
    now = clock.now()
    return [RowResult.DONE if await bill_account(row.owner_id, now) else RowResult.RELEASED for row in rows]


QUEUE: Final = LeasedQueue(
    QUEUE_NAME,
    QueueTable(
        name="reseller_account",
        done="next_attempt_at = fee_period_end, leased_until = NULL, attempts = 0, last_error = NULL",
        error="last_error",
    ),
    QueueWork(_process, QueueLimits(max_in_flight=2, deadline_seconds=30.0)),
)
