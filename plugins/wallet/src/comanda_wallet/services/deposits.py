"""Money that is added to wallets, and corrections by operators."""

import secrets

from comanda_wallet.models import Account, EntryKind
from comanda_wallet.records import Entry
from comanda_wallet.services.ledger import Leg, NewEntry, join_transaction, write_entry
from comanda_wallet.services.wallets import lock_wallet

REFERENCE_BYTES = 12


async def top_up(
    owner_id: int, amount_minor: int, reference: str, description: str = "", actor: str = "system"
) -> Entry:
    """Add money that the owner has paid outside. Raises ``ValueError`` unless the amount is more than 0."""
    if amount_minor <= 0:
        raise ValueError("A top-up must be more than 0.")
    legs = (Leg(Account.CASH, -amount_minor),)
    async with join_transaction():
        new = NewEntry(EntryKind.TOP_UP, amount_minor, reference, description, actor, legs)
        return await write_entry(await lock_wallet(owner_id), new)


async def adjust(owner_id: int, amount_minor: int, reason: str, actor: str, reference: str | None = None) -> Entry:
    """Correct a balance up or down, at the platform's expense; without a ``reference`` each call is a new one.

    Raises ``PaymentRequired`` if the balance would fall below minus the credit limit; ``ValueError`` for 0 or without a
    reason.
    """
    if amount_minor == 0 or not reason.strip():
        raise ValueError("An adjustment needs an amount other than 0 and a reason.")
    legs = (Leg(Account.REVENUE, -amount_minor),)
    reference = reference or secrets.token_hex(REFERENCE_BYTES)
    async with join_transaction():
        new = NewEntry(EntryKind.ADJUSTMENT, amount_minor, reference, reason.strip(), actor, legs)
        return await write_entry(await lock_wallet(owner_id), new)
