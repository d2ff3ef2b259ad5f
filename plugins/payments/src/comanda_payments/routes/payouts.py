"""Payouts of payment accounts, for the owner who reconciles them with the bank."""

from typing import Final

from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Routes

from comanda_payments.records.payouts import OwnPayout, OwnPayoutPart, PayoutWithSums
from comanda_payments.services.accounts import payout_lists

routes = Routes("Payouts")

PAYOUT = "/payouts/{payoutId}"
CSV_TYPE: Final = "text/csv"


@routes.get("/payouts", scope="payments:read")
async def list_payouts(caller: Caller, page: PageRequest) -> RecordPage[OwnPayout]:
    """List what the providers of your payment accounts have paid out to your bank, newest first."""
    return await payout_lists.list_payouts(caller, page)


@routes.get(PAYOUT, scope="payments:read")
async def get_payout(caller: Caller, payout_id: int) -> PayoutWithSums:
    """Return a payout with the sums of the payments, refunds, disputes and fees in it."""
    return await payout_lists.get_payout(caller, payout_id)


@routes.get(f"{PAYOUT}/parts", scope="payments:read")
async def list_parts(caller: Caller, payout_id: int, page: PageRequest) -> RecordPage[OwnPayoutPart]:
    """List the payments, refunds, disputes and fees in a payout, with the orders that they are of."""
    return await payout_lists.list_parts(caller, payout_id, page)


@routes.get(f"{PAYOUT}/export", scope="payments:read", answers=bytes, content_types=(CSV_TYPE,))
async def export_parts(caller: Caller, payout_id: int) -> Answer:
    """Return all parts of a payout as CSV."""
    name, content = await payout_lists.export_parts(caller, payout_id)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Answer(content, headers=headers, content_type=f"{CSV_TYPE}; charset=utf-8")
