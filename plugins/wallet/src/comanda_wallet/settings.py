"""The operator's settings for wallets, prefixed ``COMANDA_WALLET_``."""

from comanda.contracts import CurrencyCode, PluginSettings
from comanda.platform import runtime
from pydantic import Field


class WalletSettings(PluginSettings):
    """The currency of all wallets."""

    currency: CurrencyCode = Field(
        default="EUR",
        description="The currency of wallets, charges and earnings. A wallet keeps the one that it was opened in.",
    )


def get_currency() -> str:
    """Return the currency of new wallets and of all charges."""
    return runtime.settings_of(WalletSettings).currency
