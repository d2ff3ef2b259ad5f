"""Payouts in the dashboard: what came to the bank, and the orders that it is made of."""

from typing import Final

from comanda.contracts import PayoutPartKind, PayoutState
from comanda.web import N_, PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_payments.pages.dashboard import dashboard
from comanda_payments.pages.payment_accounts import PAGE, PROVIDERS, get_names

PAYOUTS: Final = "/payouts"
PAYOUT: Final = f"{PAYOUTS}/{{payoutId}}"
STATES: Final = {
    PayoutState.IN_TRANSIT: (N_("On its way"), "warn"),
    PayoutState.PAID: (N_("Paid out"), "good"),
    PayoutState.FAILED: (N_("Failed"), "bad"),
}
KINDS: Final = {
    PayoutPartKind.PAYMENT: N_("Payments"),
    PayoutPartKind.REFUND: N_("Refunds"),
    PayoutPartKind.DISPUTE: N_("Disputes"),
    PayoutPartKind.FEE: N_("Fees"),
    PayoutPartKind.OTHER: N_("Other"),
}
PART_KINDS: Final = {
    PayoutPartKind.PAYMENT: N_("Payment"),
    PayoutPartKind.REFUND: N_("Refunded"),
    PayoutPartKind.DISPUTE: N_("Dispute"),
    PayoutPartKind.FEE: N_("Fee"),
    PayoutPartKind.OTHER: N_("Other"),
}


@dashboard.get(f"{PAGE}/payouts", scope="payments:read")
async def list_payouts(visit: Visit) -> Response:
    """Show what the providers have paid out to the bank, and what is on its way."""
    return await visit.render(
        "payments/dashboard/payouts.html",
        payouts=await visit.api.get(PAYOUTS, query=visit.query("page")),
        states=_translate_states(),
        names=get_names(await visit.api.get(PROVIDERS)),
    )


@dashboard.get(f"{PAGE}/payouts/<int:payout_id>", scope="payments:read")
async def show_payout(visit: Visit, payout_id: int) -> Response:
    """Show a payout, its sums, and the orders that it is made of."""
    payout = await visit.api.get(PAYOUT, payoutId=payout_id)
    return await visit.render(
        "payments/dashboard/payout.html",
        payout=payout,
        parts=await visit.api.get(f"{PAYOUT}/parts", payoutId=payout_id, query=visit.query("page")),
        state=_translate_states()[payout["state"]],
        kinds={kind.value: _(label) for kind, label in KINDS.items()},
        part_kinds={kind.value: _(label) for kind, label in PART_KINDS.items()},
        name=get_names(await visit.api.get(PROVIDERS)).get(payout["provider"], payout["provider"]),
    )


@dashboard.get(f"{PAGE}/payouts/<int:payout_id>.csv", scope="payments:read")
async def export_payout(visit: Visit, payout_id: int) -> Response:
    """Send all parts of a payout for spreadsheets."""
    answer = await visit.api.send("GET", f"{PAYOUT}/export", payoutId=payout_id)
    return Response(answer.body, content_type=answer.content_type, headers={**answer.headers, **PRIVATE_HEADERS})


def _translate_states() -> dict[str, tuple[str, str]]:
    return {state.value: (_(label), tone) for state, (label, tone) in STATES.items()}
