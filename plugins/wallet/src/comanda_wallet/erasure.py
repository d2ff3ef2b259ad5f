"""Erasure of an owner with a wallet. The ledger stays, because it balances with those of other owners."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import PersonalDataEraser
from comanda.platform.db import sql

SELECT_BALANCES: Final = """
    SELECT balance_minor FROM wallet_wallet WHERE owner_id = $1 AND balance_minor <> 0
    UNION ALL
    SELECT -sum(amount_minor) FROM wallet_leg WHERE account_owner_id = $1 AND account = 'earnings'
    HAVING sum(amount_minor) <> 0
"""


async def list_obstacles(owner_id: int) -> Sequence[str]:
    """Return a sentence if the wallet or the earnings have a balance."""
    found = await sql.fetch(SELECT_BALANCES, owner_id)
    return ["The wallet or its earnings have a balance; settle it with `comanda wallet adjust`."] if found else []


ERASER: Final = PersonalDataEraser(
    "wallet", kept_tables=("wallet_wallet", "wallet_entry", "wallet_leg"), list_obstacles=list_obstacles
)
