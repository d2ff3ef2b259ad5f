"""Administration of owners and their tokens across tenants, for the command line; no route offers it."""

from collections.abc import Sequence
from typing import Any

from comanda.accounts.models import AccessToken, Owner
from comanda.accounts.services import find_owner
from comanda.db import sql

SELECT_OWNERS = """
    SELECT o.id, o.email, o.name, o.is_suspended, o.created_at,
           (SELECT count(*) FROM core_store s WHERE s.owner_id = o.id) AS stores_count
    FROM core_owner o ORDER BY o.id
"""


async def list_owners() -> list[dict[str, Any]]:
    """List every owner, oldest first."""
    return [dict(row) for row in await sql.fetch(SELECT_OWNERS)]


async def set_suspended(email: str, *, is_suspended: bool) -> Owner:
    """Suspend an owner, whose tokens then get 403 at once, or lift the suspension. Raises ``NotFound``."""
    owner = await find_owner(email)
    owner.is_suspended = is_suspended
    await owner.save(update_fields=["is_suspended"])
    return owner


async def list_tokens(email: str) -> Sequence[AccessToken]:
    """List an owner's tokens of every kind that are not revoked, oldest first. Raises ``NotFound``."""
    owner = await find_owner(email)
    return await AccessToken.filter(owner_id=owner.id, revoked_at=None).order_by("id")
