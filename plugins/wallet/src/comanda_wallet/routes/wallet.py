"""The wallet of the calling owner."""

from comanda.contracts import Caller, Page, PageRequest, RecordPage, Routes

from comanda_wallet.records import Entry, Wallet
from comanda_wallet.schemas import EntryQuery, WalletChange, WalletEntryOut, WalletOut
from comanda_wallet.services import entries, wallets

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
