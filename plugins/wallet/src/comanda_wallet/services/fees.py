"""Fees that payment providers withhold for the platform: they never pass through a wallet."""

from comanda_wallet.models import Account, EntryKind
from comanda_wallet.records import Entry
from comanda_wallet.services.ledger import Leg, NewEntry, write_entry
from comanda_wallet.services.transactions import join_transaction
from comanda_wallet.services.wallets import lock_wallet


async def record_fee(owner_id: int, amount_minor: int, reference: str, description: str, actor: str) -> Entry:
    """Record what was withheld outside as revenue of the platform; the balance of the wallet stays.

    Raises ``ValueError`` unless the amount is more than 0.
    """
    if amount_minor <= 0:
        raise ValueError("A fee must be more than 0.")
    legs = (Leg(Account.REVENUE, amount_minor), Leg(Account.CASH, -amount_minor))
    async with join_transaction():
        new = NewEntry(EntryKind.FEE, 0, reference, description, actor, legs)
        return await write_entry(await lock_wallet(owner_id), new)
