"""The names of apps in histories, by the installation that their tokens belong to."""

from collections.abc import Mapping, Sequence
from typing import Final

from comanda.platform.db import sql

SELECT_NAMES: Final = """
    SELECT i.id, c.name FROM oauth_installation i JOIN oauth_client c ON c.id = i.client_row_id
    WHERE i.owner_id = $1 AND i.id = ANY($2::bigint[])
"""


async def get_names(owner_id: int, installation_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the names of the apps by installation."""
    rows = await sql.fetch(SELECT_NAMES, owner_id, list(installation_ids))
    return {row["id"]: row["name"] for row in rows}
