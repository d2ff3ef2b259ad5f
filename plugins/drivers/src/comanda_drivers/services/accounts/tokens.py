"""Tokens of drivers: a permanent one issued by the owner, and one for each login by code."""

from collections.abc import Sequence
from typing import Final

from comanda.accounts import IssuedToken
from comanda.accounts import services as accounts

from comanda_drivers.caller_kinds import DRIVER

# All drivers have the same scope; there are no others to choose from.
SCOPES: Final[Sequence[str]] = ("driver",)
ISSUED_BY_OWNER: Final = "From the owner"


async def issue_permanent_token(owner_id: int, driver_id: int) -> IssuedToken:
    """Issue a token that never expires. The caller has locked the driver's row."""
    return await accounts.issue_token(
        DRIVER, owner_id, SCOPES, name=ISSUED_BY_OWNER, subject_id=driver_id, lifetime=None, is_sliding=False
    )


async def issue_login_token(owner_id: int, driver_id: int, device: str) -> IssuedToken:
    """Issue a token that expires 30 days after its last use. The caller has locked the driver's row."""
    return await accounts.issue_token(DRIVER, owner_id, SCOPES, name=device, subject_id=driver_id)


async def revoke_tokens(owner_id: int, driver_id: int) -> None:
    await accounts.revoke_tokens(owner_id, DRIVER.code, driver_id)
