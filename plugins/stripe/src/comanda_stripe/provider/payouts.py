"""Payouts of an account and the balance transactions in them, from what Stripe answers or reports."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from comanda.basics import LazyModule
from comanda.contracts import PaymentAccount, PaymentDeclined, PayoutPart, PayoutPartKind, PayoutReport, PayoutState

from comanda_stripe.client import open_client
from comanda_stripe.provider.outcomes import get_id

if TYPE_CHECKING:
    import stripe
else:
    stripe = LazyModule("stripe")

# One that is pending is in transit for whoever waits for it.
STATES: Final = {
    "pending": PayoutState.IN_TRANSIT,
    "in_transit": PayoutState.IN_TRANSIT,
    "paid": PayoutState.PAID,
    "failed": PayoutState.FAILED,
    "canceled": PayoutState.FAILED,
}
KINDS: Final = {
    "charge": PayoutPartKind.PAYMENT,
    "payment": PayoutPartKind.PAYMENT,
    "refund": PayoutPartKind.REFUND,
    "refund_failure": PayoutPartKind.REFUND,
    "payment_refund": PayoutPartKind.REFUND,
    "payment_failure_refund": PayoutPartKind.REFUND,
    "stripe_fee": PayoutPartKind.FEE,
    "stripe_fx_fee": PayoutPartKind.FEE,
    "tax_fee": PayoutPartKind.FEE,
}
DISPUTE: Final = "dispute"
MAX_PER_CALL: Final = 100


class StripePayouts:
    """Lists the payouts of an account, and the balance transactions of those that Stripe makes by its schedule."""

    async def list_payouts(self, account: PaymentAccount, since: datetime) -> list[PayoutReport]:
        """Return the payouts that were made since then, the oldest first."""
        async with _open_client(account) as client:
            found = await client.v1.payouts.list_async(
                {"created": {"gte": int(since.timestamp())}, "limit": MAX_PER_CALL}
            )
            return [to_payout_report(each.to_dict()) async for each in found.auto_paging_iter()][::-1]

    async def list_parts(self, account: PaymentAccount, reference: str, limit: int) -> list[PayoutPart] | None:
        """Return what a payout is made of; None while Stripe prepares that, nothing of one that was made by hand."""
        async with _open_client(account) as client:
            payout = await client.v1.payouts.retrieve_async(reference)
            if payout.reconciliation_status == "in_progress":
                return None
            if not payout.automatic:
                return []
            found = await client.v1.balance_transactions.list_async(
                {"payout": reference, "limit": MAX_PER_CALL, "expand": ["data.source"]}
            )
            parts: list[PayoutPart] = []
            async for each in found.auto_paging_iter():
                transaction = each.to_dict()
                # The payout itself is among them.
                if get_id(transaction.get("source")) != reference:
                    parts.append(_to_part(transaction))
                if len(parts) == limit:
                    break
            return parts


@asynccontextmanager
async def _open_client(account: PaymentAccount) -> AsyncIterator["stripe.StripeClient"]:
    """Yield a client. Raises ``PaymentDeclined`` also for a key that may not read payouts, such as an old one."""
    try:
        async with open_client(account) as client:
            yield client
    except stripe.PermissionError as refusal:
        raise PaymentDeclined("This key may not read payouts and balance transactions.") from refusal


def to_payout_report(payout: Mapping[str, Any], external_id: str | None = None) -> PayoutReport:
    """Return the report of a payout. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
    state = STATES.get(payout["status"], PayoutState.IN_TRANSIT)
    arrives_at, failure = payout.get("arrival_date"), payout.get("failure_message") or payout.get("failure_code")
    if state is PayoutState.FAILED and not failure:
        failure = str(payout["status"])
    return PayoutReport(
        reference=payout["id"],
        state=state,
        amount_minor=payout["amount"],
        currency=str(payout["currency"]).upper(),
        arrives_on=None if arrives_at is None else datetime.fromtimestamp(arrives_at, UTC).date(),
        failure=str(failure) if state is PayoutState.FAILED else None,
        external_id=external_id,
    )


def _to_part(transaction: Mapping[str, Any]) -> PayoutPart:
    source = transaction.get("source")
    thing: Mapping[str, Any] = source if isinstance(source, Mapping) else {}
    is_dispute = thing.get("object") == DISPUTE
    kind = PayoutPartKind.DISPUTE if is_dispute else KINDS.get(str(transaction["type"]), PayoutPartKind.OTHER)
    return PayoutPart(
        reference=transaction["id"],
        kind=kind,
        amount_minor=transaction["amount"],
        fee_minor=transaction.get("fee") or 0,
        payment=get_id(thing.get("payment_intent")),
        description=transaction.get("description"),
    )
