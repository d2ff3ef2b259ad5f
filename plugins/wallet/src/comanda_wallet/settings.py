"""The operator's settings for wallets, prefixed ``COMANDA_WALLET_``."""

from typing import Annotated

from comanda.basics import money
from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import AfterValidator, Field


def _check_currency(code: str) -> str:
    money.get_exponent(code)
    return code


class WalletSettings(PluginSettings):
    """The currency of all wallets."""

    currency: Annotated[str, AfterValidator(_check_currency)] = Field(
        default="EUR",
        min_length=3,
        max_length=3,
        description="The currency of wallets, charges and earnings. A wallet keeps the one that it was opened in.",
    )


def get_currency() -> str:
    """Return the currency of new wallets and of all charges."""
    return runtime.settings_of(WalletSettings).currency
