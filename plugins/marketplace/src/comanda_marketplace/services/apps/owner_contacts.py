"""Names and e-mail addresses of owners: the developers of apps, and those who pay for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from comanda.platform.db import sql

SELECT_OWNERS: Final = "SELECT id, name, email FROM core_owner_v1 WHERE id = ANY($1::bigint[])"


@dataclass(frozen=True, slots=True)
class OwnerContact:
    """An owner's name and e-mail."""

    name: str
    email: str


async def get_contact(owner_id: int) -> OwnerContact:
    """Return an owner's name and e-mail. Raises ``LookupError`` for an unknown owner."""
    return (await list_contacts([owner_id]))[owner_id]


async def list_contacts(owner_ids: Sequence[int]) -> Mapping[int, OwnerContact]:
    """Return the names and e-mails of owners by id."""
    rows = await sql.fetch(SELECT_OWNERS, list(owner_ids))
    return {row["id"]: OwnerContact(row["name"], row["email"]) for row in rows}
