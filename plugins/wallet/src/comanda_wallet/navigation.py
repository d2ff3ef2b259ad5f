"""Entries of the navigation for the pages of wallets."""

from typing import Final

from comanda.contracts import Audience, NavigationEntry
from comanda.web import N_

HAS_EARNED: Final = """
    SELECT FROM wallet_leg WHERE account_owner_id = $1 AND account = 'earnings' AND amount_minor > 0
"""

ENTRIES: Final = (
    NavigationEntry(N_("Wallet"), "/wallet", "account", "wallet:read", icon="wallet", position=40),
    NavigationEntry(
        N_("Earnings"), "/wallet/earnings", "developer", "wallet:read", icon="cash", position=40,
        is_for=HAS_EARNED, audience=Audience.DEVELOPER,
    ),
)  # fmt: skip
