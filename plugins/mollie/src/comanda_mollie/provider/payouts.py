"""Settlements of an organization and what each is made of: payments, refunds, chargebacks, and what Mollie costs."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final

from comanda.basics import LazyModule
from comanda.contracts import PaymentAccount, PaymentDeclined, PayoutPart, PayoutPartKind, PayoutReport, PayoutState

from comanda_mollie.client import (
    MAX_PER_PAGE,
    ORGANIZATION_FIELD,
    UNAUTHORIZED,
    UNKNOWN_TOKEN,
    get_next_page,
    open_organization,
)
from comanda_mollie.provider.outcomes import Amount, to_minor, to_moment

if TYPE_CHECKING:
    import mollie
else:
    mollie = LazyModule("mollie")

STATES: Final = {"paidout": PayoutState.PAID, "failed": PayoutState.FAILED}
# What is still collected has no day, and changes.
OPEN: Final = "open"
FAILED: Final = "The bank returned the settlement."


class MolliePayouts:
    """Lists the settlements of an organization, if its owner has entered a token that may read them."""

    async def list_payouts(self, account: PaymentAccount, since: datetime) -> list[PayoutReport]:
        """Return the settlements since then, the oldest first; none without a token."""
        if ORGANIZATION_FIELD not in account.credentials:
            return []
        found: list[PayoutReport] = []
        async with _open_client(account) as client:
            page = await client.settlements.list_async(limit=MAX_PER_PAGE)
            while page is not None:
                for each in page.result.embedded.settlements or ():
                    if each.created_at and to_moment(each.created_at) < since:
                        return found[::-1]
                    if each.status != OPEN:
                        found.append(to_payout_report(each))
                page = await get_next_page(page)
        return found[::-1]

    async def list_parts(self, account: PaymentAccount, reference: str, limit: int) -> list[PayoutPart] | None:
        """Return what a settlement is made of; Mollie lists its own costs by kind and month, not by payment."""
        async with _open_client(account) as client:
            settlement = await client.settlements.get_async(settlement_id=reference)
            if settlement.status == OPEN:
                return None
            parts = list(_list_costs(settlement))[:limit]
            async for part in _list_transactions(client, reference):
                if len(parts) == limit:
                    break
                parts.append(part)
        return parts


@asynccontextmanager
async def _open_client(account: PaymentAccount) -> AsyncIterator["mollie.ClientSDK"]:
    """Yield a client. Raises ``PaymentDeclined`` also for a token that may not read settlements."""
    try:
        async with open_organization(account) as client:
            yield client
    except mollie.ClientError as refusal:
        if refusal.status_code in UNAUTHORIZED:
            raise PaymentDeclined(UNKNOWN_TOKEN) from refusal
        raise


def to_payout_report(settlement: "mollie.EntitySettlement") -> PayoutReport:
    """Return the report of a settlement. Raises ``ValueError`` for an amount that is none."""
    state = STATES.get(settlement.status, PayoutState.IN_TRANSIT)
    return PayoutReport(
        reference=settlement.id,
        state=state,
        amount_minor=to_minor(settlement.amount),
        currency=settlement.amount.currency,
        arrives_on=to_moment(settlement.settled_at).date() if settlement.settled_at else None,
        failure=FAILED if state is PayoutState.FAILED else None,
    )


def _list_costs(settlement: "mollie.EntitySettlement") -> Iterator[PayoutPart]:
    for year, months in (settlement.periods or {}).items():
        for month, period in months.items():
            for number, cost in enumerate(period.costs or ()):
                reference = f"{settlement.id}-{year}-{month}-{number}"
                amount = -to_minor(cost.amount_gross)
                yield PayoutPart(reference, PayoutPartKind.FEE, amount, description=cost.description)


async def _list_transactions(client: "mollie.ClientSDK", reference: str) -> AsyncIterator[PayoutPart]:
    payments = await client.settlements.list_payments_async(settlement_id=reference, limit=MAX_PER_PAGE)
    while payments is not None:
        for payment in payments.result.embedded.payments or ():
            amount = to_minor(payment.settlement_amount or payment.amount)
            yield PayoutPart(payment.id, PayoutPartKind.PAYMENT, amount, 0, payment.id, payment.description)
        payments = await get_next_page(payments)
    refunds = await client.settlements.list_refunds_async(settlement_id=reference, limit=MAX_PER_PAGE)
    while refunds is not None:
        for refund in refunds.result.embedded.refunds or ():
            amount = _to_negative(refund.settlement_amount or refund.amount)
            yield PayoutPart(refund.id, PayoutPartKind.REFUND, amount, 0, refund.payment_id, refund.description)
        refunds = await get_next_page(refunds)
    chargebacks = await client.settlements.list_chargebacks_async(settlement_id=reference, limit=MAX_PER_PAGE)
    while chargebacks is not None:
        for each in chargebacks.result.embedded.chargebacks or ():
            amount = _to_negative(each.settlement_amount or each.amount)
            yield PayoutPart(each.id, PayoutPartKind.DISPUTE, amount, 0, each.payment_id)
        chargebacks = await get_next_page(chargebacks)


def _to_negative(amount: Amount) -> int:
    """Return what is taken back, which Mollie writes with or without a sign."""
    return -abs(to_minor(amount))
