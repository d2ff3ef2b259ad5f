"""Apps as their tokens know them: the check of each call, and their names in histories."""

from collections.abc import Mapping, Sequence
from typing import Final

from comanda.basics import Forbidden, Unauthenticated
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_oauth.services import resources

SELECT_APP: Final = """
    SELECT c.is_enabled AND d.is_suspended IS NOT TRUE AS is_enabled, g.resource FROM oauth_access_token t
    JOIN oauth_grant g ON g.id = t.grant_id AND g.owner_id = t.owner_id
    JOIN oauth_installation i ON i.id = g.installation_id AND i.owner_id = g.owner_id
    JOIN oauth_client c ON c.id = i.client_row_id LEFT JOIN core_owner_v1 d ON d.id = c.owner_id
    WHERE t.id = $1 AND t.owner_id = $2 AND i.uninstalled_at IS NULL AND g.revoked_at IS NULL
"""
SELECT_NAMES: Final = """
    SELECT i.id, c.name FROM oauth_installation i JOIN oauth_client c ON c.id = i.client_row_id
    WHERE i.owner_id = $1 AND i.id = ANY($2::bigint[])
"""


async def check_app(caller: Caller, path: str) -> None:
    """Check a call of an app.

    Raises ``Unauthenticated`` for a token of another resource, ``Forbidden`` with the reason ``suspended`` for an app
    that is suspended, or whose developer is.
    """
    row = await sql.fetch_one(SELECT_APP, caller.token_id, caller.owner_id)
    if row is None or not resources.accepts(row["resource"], path):
        raise Unauthenticated
    if not row["is_enabled"]:
        raise Forbidden("This app is suspended.", extras={"reason": "suspended"})


async def get_names(owner_id: int, installation_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the names of the apps by installation."""
    rows = await sql.fetch(SELECT_NAMES, owner_id, list(installation_ids))
    return {row["id"]: row["name"] for row in rows}
