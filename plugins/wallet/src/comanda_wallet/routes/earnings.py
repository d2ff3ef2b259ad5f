"""The earnings of the calling owner as a developer of apps."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_wallet.records import Earning, Earnings
from comanda_wallet.schemas import EarningsOut
from comanda_wallet.services import earnings

routes = Routes("Wallet")


@routes.get("/wallet/earnings", scope="wallet:read", answers=EarningsOut)
async def get_earnings(caller: Caller) -> Earnings:
    """Return what you have earned through charges of your apps, less your share of what was refunded."""
    return await earnings.get_earnings(caller.owner_id)


@routes.get("/wallet/earnings/entries", scope="wallet:read")
async def list_shares(caller: Caller, page: PageRequest) -> RecordPage[Earning]:
    """List your shares of charges and refunds, newest first, 20 per page."""
    return await earnings.list_shares(caller, page)
