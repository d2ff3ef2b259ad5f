"""Chargebacks at Mollie. One has taken the money by the time it is known; its interface answers none."""

from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from comanda.contracts import DisputeReport, DisputeState, PaymentAccount

from comanda_mollie.client import MAX_PER_PAGE, get_next_page, open_client
from comanda_mollie.provider.outcomes import Amount, to_minor, to_moment

if TYPE_CHECKING:
    import mollie

URL: Final = "https://my.mollie.com/dashboard"


class Chargeback(Protocol):
    """A chargeback, of a payment or of a profile."""

    id: str
    payment_id: str

    @property
    def amount(self) -> Amount:
        """What was taken."""

    @property
    def reason(self) -> object:
        """Why, if Mollie knows."""

    @property
    def reversed_at(self) -> object:
        """When the money came back."""


class MollieDisputes:
    """Lists the chargebacks of a profile."""

    async def list_disputes(self, account: PaymentAccount, since: datetime) -> list[DisputeReport]:
        """Return the chargebacks since then."""
        found: list[DisputeReport] = []
        async with open_client(account) as client:
            page = await client.chargebacks.all_async(limit=MAX_PER_PAGE)
            while page is not None:
                for each in page.result.embedded.chargebacks or ():
                    if to_moment(each.created_at) < since:
                        return found
                    found.append(to_dispute_report(each))
                page = await get_next_page(page)
        return found


async def list_chargebacks(client: "mollie.ClientSDK", payment_id: str) -> list[DisputeReport]:
    page = await client.chargebacks.list_async(payment_id=payment_id, limit=MAX_PER_PAGE)
    return [] if page is None else [to_dispute_report(each) for each in page.result.embedded.chargebacks or ()]


def to_dispute_report(chargeback: Chargeback) -> DisputeReport:
    """Return the report of a chargeback. Raises ``ValueError`` for an amount that is none."""
    return DisputeReport(
        reference=chargeback.id,
        payment=chargeback.payment_id,
        state=DisputeState.WON if chargeback.reversed_at else DisputeState.LOST,
        amount_minor=to_minor(chargeback.amount),
        reason=getattr(chargeback.reason, "description", None),
        url=URL,
    )
