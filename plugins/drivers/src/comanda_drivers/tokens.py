"""Tokens of drivers: the owner's, which never expires, and one for each phone that logs in by a code."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import services as accounts
from comanda.accounts.services import IssuedToken
from comanda.contracts.callers import CallerKind

DRIVER: Final = CallerKind(code="driver", prefix="drv_", lifetime=timedelta(days=30), is_sliding=True, is_audited=False)

# A driver may do what every driver may, with what is theirs; there is nothing to choose from.
SCOPES: Final[Sequence[str]] = ("driver",)
OWNERS_NAME: Final = "From the owner"


async def issue_for_owner(owner_id: int, driver_id: int) -> IssuedToken:
    """Make the token that an owner hands to a driver; it never expires. The driver's row is locked by the caller."""
    return await accounts.issue_token(
        DRIVER, owner_id, SCOPES, name=OWNERS_NAME, subject_id=driver_id, lifetime=None, is_sliding=False
    )


async def issue_for_phone(owner_id: int, driver_id: int, device: str) -> IssuedToken:
    """Make a token for a driver who logged in; it is good for 30 days after its last use. The row is locked."""
    return await accounts.issue_token(DRIVER, owner_id, SCOPES, name=device, subject_id=driver_id)


async def revoke_all(owner_id: int, driver_id: int) -> None:
    """Make every token of a driver void at once."""
    await accounts.revoke_tokens(owner_id, DRIVER.code, driver_id)
