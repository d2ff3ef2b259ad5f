"""The disputes that guests open on the page of the demo bank."""

from datetime import datetime, timedelta
from typing import Final

from comanda.contracts import DisputeReport, PaymentAccount
from comanda.platform import runtime

from comanda_demobank.services import charges
from comanda_demobank.services.charges import DemoCharge

TIME_TO_RESPOND: Final = timedelta(days=7)


class DemoDisputes:
    """Lists the disputes of an account."""

    async def list_disputes(self, account: PaymentAccount, since: datetime) -> list[DisputeReport]:
        """Return the disputes of an owner's charges, none in production."""
        if not runtime.settings().development:
            return []
        return [_to_report(each) for each in await charges.list_disputed_charges(account.owner_id, since)]


def _to_report(charge: DemoCharge) -> DisputeReport:
    if charge.dispute is None or charge.disputed_at is None:
        raise ValueError("a charge without a dispute")
    return DisputeReport(
        reference=f"dispute-{charge.reference}",
        payment=charge.reference,
        state=charge.dispute,
        amount_minor=charge.amount_minor,
        reason="fraudulent",
        respond_by=charge.disputed_at + TIME_TO_RESPOND,
        url=f"{runtime.settings().site_url}/demobank/{charge.reference}",
    )
