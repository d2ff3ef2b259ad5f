"""Wallets for other plugins: charging owners, refunding them, and the earnings of developers.

Every function runs in the caller's open transaction, or in one of its own. Whatever writes an entry is idempotent by
the owner, the kind and the reference: a repeated call returns the first entry, with ``is_repeat``, whatever its amount.
A wallet is locked until the transaction ends, so charge late in it.
"""

from datetime import datetime

from comanda_wallet.models import EntryKind
from comanda_wallet.records import Charge, Earnings, Entry, Refund, Wallet
from comanda_wallet.services import charges, deposits, earnings, entries, refunds, wallets
from comanda_wallet.settings import get_currency

__all__ = [
    "Charge",
    "Earnings",
    "Entry",
    "EntryKind",
    "Refund",
    "Wallet",
    "adjust",
    "charge",
    "find_entry",
    "get_currency",
    "get_earnings",
    "get_wallet",
    "record_fee",
    "refund",
    "sum_charges",
    "top_up",
]


async def get_wallet(owner_id: int) -> Wallet:
    """Return an owner's wallet, an empty one if nothing was ever booked."""
    return await wallets.get_wallet(owner_id)


async def charge(owner_id: int, charge: Charge, actor: str = "system") -> Entry:
    """Charge a wallet, and credit the developer's share. An amount of 0 is recorded too.

    Raises ``PaymentRequired`` (402), with nothing stored and the reference still free, if the balance and the credit
    limit do not suffice; ``ValueError`` for a kind that is no charge, a negative amount or a share beyond the amount.
    """
    return await charges.charge(owner_id, charge, actor)


async def refund(owner_id: int, refund: Refund, actor: str = "system") -> Entry:
    """Refund a charge in part or in full, from the developer's share and the platform's in proportion.

    Raises ``NotFound`` without such a charge; ``ValidationFailed`` on ``amount`` for more than is left of it.
    """
    return await refunds.refund(owner_id, refund, actor)


async def top_up(
    owner_id: int, amount_minor: int, reference: str, description: str = "", actor: str = "system"
) -> Entry:
    """Add money that the owner has paid outside. Raises ``ValueError`` unless the amount is more than 0."""
    return await deposits.top_up(owner_id, amount_minor, reference, description, actor)


async def adjust(owner_id: int, amount_minor: int, reason: str, actor: str, reference: str | None = None) -> Entry:
    """Correct a balance up or down, at the platform's expense; without a ``reference`` each call is a new one.

    Raises ``PaymentRequired`` if the balance would fall below minus the credit limit.
    """
    return await deposits.adjust(owner_id, amount_minor, reason, actor, reference)


async def record_fee(
    owner_id: int, amount_minor: int, reference: str, description: str = "", actor: str = "system"
) -> Entry:
    """Record a fee that a payment provider has withheld for the platform; the balance stays as it is.

    Raises ``Conflict`` if the wallet is in another currency than ``get_currency``.
    """
    return await charges.record_fee(owner_id, amount_minor, reference, description, actor)


async def find_entry(owner_id: int, kind: EntryKind, reference: str) -> Entry | None:
    """Return the entry of a kind and a reference, or None."""
    return await entries.find_entry(owner_id, kind, reference)


async def sum_charges(owner_id: int, reference_prefix: str, since: datetime | None = None) -> int:
    """Return what charges since then, whose references begin with a prefix, cost: less what was refunded of them."""
    return await entries.sum_charges(owner_id, reference_prefix, since)


async def get_earnings(owner_id: int) -> Earnings:
    """Return what a developer has earned."""
    return await earnings.get_earnings(owner_id)
