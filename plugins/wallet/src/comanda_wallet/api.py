"""Wallets for other plugins: charging owners, refunding them, and the earnings of developers.

Every function runs in the caller's open transaction, or in one of its own. Whatever writes an entry is idempotent by
the owner, the kind and the reference: a repeated call returns the first entry, with ``is_repeat``, whatever its amount.
A wallet is locked until the transaction ends, so charge late in it.
"""

from comanda_wallet.models import EntryKind
from comanda_wallet.records import Charge, Earnings, Entry, Refund, Wallet
from comanda_wallet.services.charges import charge, record_fee
from comanda_wallet.services.deposits import adjust, top_up
from comanda_wallet.services.earnings import get_earnings
from comanda_wallet.services.entries import find_entry, sum_charges
from comanda_wallet.services.refunds import refund
from comanda_wallet.services.wallets import get_wallet
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
