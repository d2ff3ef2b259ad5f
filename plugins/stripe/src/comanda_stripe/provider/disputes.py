"""Disputes (chargebacks) of an account, from what Stripe answers or reports."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from comanda.contracts import DisputeReport, DisputeState, PaymentAccount

from comanda_stripe.client import open_client

# An inquiry, of which the status begins with ``warning``, has taken no money yet: one that is closed never will.
STATES: Final = {
    "warning_needs_response": DisputeState.NEEDS_RESPONSE,
    "needs_response": DisputeState.NEEDS_RESPONSE,
    "warning_closed": DisputeState.WON,
    "prevented": DisputeState.WON,
    "won": DisputeState.WON,
    "lost": DisputeState.LOST,
}
MAX_PER_CALL: Final = 100


class StripeDisputes:
    """Lists the disputes of an account."""

    async def list_disputes(self, account: PaymentAccount, since: datetime) -> list[DisputeReport]:
        """Return the disputes that were opened since then."""
        async with open_client(account) as client:
            found = await client.v1.disputes.list_async(
                {"created": {"gte": int(since.timestamp())}, "limit": MAX_PER_CALL}
            )
            return [to_dispute_report(each.to_dict()) async for each in found.auto_paging_iter()]


def to_dispute_report(dispute: Mapping[str, Any], external_id: str | None = None) -> DisputeReport:
    """Return the report of a dispute. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
    payment = dispute.get("payment_intent")
    due_by = (dispute.get("evidence_details") or {}).get("due_by")
    folder = "" if dispute.get("livemode") else "test/"
    return DisputeReport(
        reference=dispute["id"],
        payment=payment,
        state=STATES.get(str(dispute.get("status")), DisputeState.UNDER_REVIEW),
        amount_minor=dispute["amount"],
        reason=None if dispute.get("reason") is None else str(dispute["reason"]),
        respond_by=None if due_by is None else datetime.fromtimestamp(due_by, UTC),
        url=f"https://dashboard.stripe.com/{folder}payments/{payment}",
        external_id=external_id,
    )
