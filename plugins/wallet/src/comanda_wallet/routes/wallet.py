"""Routes of wallets and of what developers earn."""

from comanda.contracts import Caller, Page, PageRequest, RecordPage, Routes

from comanda_wallet.records import Earning, Earnings, Entry, Wallet
from comanda_wallet.schemas import EarningsOut, EntryQuery, WalletChange, WalletEntryOut, WalletOut
from comanda_wallet.services import earnings, entries, wallets

routes = Routes("Wallet")


@routes.get("/wallet", scope="wallet:read", answers=WalletOut)
async def get_wallet(caller: Caller) -> Wallet:
    """Return your wallet: balance, credit limit, and the threshold of the low-balance message."""
    return await wallets.get_wallet(caller.owner_id)


@routes.patch("/wallet", scope="wallet:write", answers=WalletOut)
async def update_wallet(caller: Caller, body: WalletChange) -> Wallet:
    """Set the balance below which you receive an e-mail, null for none. Omitted fields stay as they are."""
    return await wallets.update_wallet(caller, body)


@routes.get("/wallet/entries", scope="wallet:read", answers=Page[WalletEntryOut])
async def list_entries(caller: Caller, query: EntryQuery, page: PageRequest) -> RecordPage[Entry]:
    """List the entries of your wallet, newest first, 20 per page; filter by ``kind``, ``from`` and ``to``."""
    return await entries.list_entries(caller, query, page)


@routes.get("/wallet/earnings", scope="wallet:read", answers=EarningsOut)
async def get_earnings(caller: Caller) -> Earnings:
    """Return what you have earned through charges of your apps, less your share of what was refunded."""
    return await earnings.get_earnings(caller.owner_id)


@routes.get("/wallet/earnings/entries", scope="wallet:read")
async def list_shares(caller: Caller, page: PageRequest) -> RecordPage[Earning]:
    """List your shares of charges and refunds, newest first, 20 per page."""
    return await earnings.list_shares(caller, page)
