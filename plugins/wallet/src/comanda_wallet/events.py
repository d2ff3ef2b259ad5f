"""The events of wallets."""

from comanda.contracts import Event


class LowBalance(Event):
    """An entry took a wallet's balance below the owner's threshold.

    Sent once, until the balance was at the threshold or above it again. Not sent when the owner raises the threshold.
    """

    name = "wallet.low_balance"
    scope = "wallet:read"
    sample = {"entry_id": 4711, "balance": "4.20", "threshold": "10.00", "currency": "EUR"}

    entry_id: int
    balance: str
    threshold: str
    currency: str
