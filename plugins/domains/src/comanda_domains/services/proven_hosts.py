"""The names that are proven: each belongs to one store, of whichever owner."""

from typing import Final

import structlog
from comanda.basics import Conflict
from comanda.contracts import StoreHost
from comanda.platform.db import sql
from comanda.web import N_

log = structlog.get_logger(__name__)

PROVEN_BY_ANOTHER: Final = N_("Another store uses this name, and its record is still there. Remove that record first.")

SELECT_ALL_PROVEN: Final = """
    SELECT h.name, h.store_id, s.slug, h.is_redirected_to
    FROM domains_host h JOIN core_store_v1 s ON s.id = h.store_id AND s.owner_id = h.owner_id
    WHERE h.proven_at IS NOT NULL ORDER BY h.proven_at, h.id
"""
LOCK_HOLDER: Final = """
    SELECT id, owner_id, token FROM domains_host WHERE name = $1 AND proven_at IS NOT NULL FOR UPDATE
"""
WITHDRAW_PROOF: Final = "UPDATE domains_host SET proven_at = NULL WHERE id = $1 AND owner_id = $2"


async def load_proven_hosts() -> list[StoreHost]:
    """Return the proven hosts of all stores, the main one of each store first."""
    return [StoreHost(*row.values()) for row in await sql.fetch(SELECT_ALL_PROVEN)]


async def take_from_holder(name: str, texts: frozenset[str]) -> None:
    """Withdraw the proof of the store that has the name, unless its record is among the texts of DNS.

    Raises ``Conflict``.
    """
    holder = await sql.fetch_one(LOCK_HOLDER, name)
    if holder is None:
        return
    if holder["token"] in texts:
        raise create_held_error()
    await sql.execute(WITHDRAW_PROOF, holder["id"], holder["owner_id"])
    log.warning("host_changes_hands", host=name, owner_id=holder["owner_id"])


def create_held_error() -> Conflict:
    """Return the refusal of a name that another store has."""
    return Conflict(PROVEN_BY_ANOTHER, extras={"reason": "proven_by_another"})
