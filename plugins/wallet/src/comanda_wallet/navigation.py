"""Entries of the navigation for the pages of wallets."""

from typing import Final

from comanda.contracts import Audience, Caller, NavigationEntry
from comanda.web import N_

from comanda_wallet.services import earnings


async def has_earned(caller: Caller) -> bool:
    """Return whether the caller has earned anything."""
    return (await earnings.get_earnings(caller.owner_id)).earned.minor > 0


ENTRIES: Final = (
    NavigationEntry(N_("Wallet"), "/wallet", "account", "wallet:read", icon="wallet", position=40),
    NavigationEntry(
        N_("Earnings"), "/wallet/earnings", "developer", "wallet:read", icon="cash", position=40,
        is_for=has_earned, audience=Audience.DEVELOPER,
    ),
)  # fmt: skip
