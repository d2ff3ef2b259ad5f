"""Refunds that were made in Mollie itself, which have no key of ours."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from comanda.contracts import PaymentAccount, RefundReport

from comanda_mollie.client import MAX_PER_PAGE, get_next_page, open_client
from comanda_mollie.provider.outcomes import Amount, Refund, get_key, to_minor, to_moment, to_refund_outcome

if TYPE_CHECKING:
    import mollie

REFUNDED: Final = "refunded"


class ListedRefund(Refund, Protocol):
    """A refund in a list."""

    @property
    def amount(self) -> Amount:
        """What is given back."""

    @property
    def metadata(self) -> object:
        """What was added to it."""

    @property
    def description(self) -> str | None:
        """Why."""


class MollieRefunds:
    """Lists the refunds of a profile that were made in Mollie."""

    async def list_refunds(self, account: PaymentAccount, since: datetime) -> list[RefundReport]:
        """Return the refunds since then that have reached their payers."""
        found: list[RefundReport] = []
        async with open_client(account) as client:
            page = await client.refunds.all_async(limit=MAX_PER_PAGE)
            while page is not None:
                refunds = page.result.embedded.refunds or []
                found += _to_reports(each for each in refunds if to_moment(each.created_at) >= since)
                if refunds and to_moment(refunds[-1].created_at) < since:
                    break
                page = await get_next_page(page)
        return found


async def list_refunds(client: "mollie.ClientSDK", payment_id: str) -> list[RefundReport]:
    """Return the refunds of a payment that were made in Mollie, and have reached its payer."""
    page = await client.refunds.list_async(payment_id=payment_id, limit=MAX_PER_PAGE)
    return [] if page is None else _to_reports(page.result.embedded.refunds or ())


def _to_reports(refunds: Iterable[ListedRefund]) -> list[RefundReport]:
    return [
        RefundReport(
            reference=to_refund_outcome(each).reference or each.id,
            payment=each.payment_id,
            amount_minor=to_minor(each.amount),
            reason=each.description or None,
        )
        for each in refunds
        if each.status == REFUNDED and get_key(each.metadata) is None
    ]
