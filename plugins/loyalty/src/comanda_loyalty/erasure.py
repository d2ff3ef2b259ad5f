"""Personal data in the ledger: its export, and the erasure of free text. Points stay, for a customer without a name."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

ANONYMIZE_ENTRIES: Final = """
    UPDATE loyalty_entry SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND account_id IN (
        SELECT id FROM loyalty_account WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3)
"""


SELECT_ENTRIES: Final = """
    SELECT e.created_at, e.kind, e.points, e.balance, e.order_id, e.note
    FROM loyalty_account a JOIN loyalty_entry e ON e.account_id = a.id AND e.owner_id = a.owner_id
    WHERE a.owner_id = $1 AND a.store_id = $2 AND a.customer_id = $3 ORDER BY e.id
"""


async def export_points(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return every change of a person's points."""
    rows = await sql.fetch(SELECT_ENTRIES, person.owner_id, person.store_id, person.customer_id)
    return [dict(row) for row in rows]


async def erase_personal_data(person: Person) -> None:
    """Erase the reasons of adjustments of a person's points."""
    if person.customer_id is not None:
        await sql.execute(ANONYMIZE_ENTRIES, person.owner_id, person.store_id, person.customer_id)


ERASER: Final = PersonalDataEraser("loyalty", erase_personal_data, export=export_points)
