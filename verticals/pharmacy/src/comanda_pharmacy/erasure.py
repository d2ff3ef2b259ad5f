"""Export and erasure of personal data: what pharmacists have noted about the orders of a person."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import ERASED, Person, PersonalDataEraser
from comanda.platform.db import sql

ERASE_NOTES: Final = f"""
    UPDATE pharmacy_release SET note = '{ERASED}'
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND note IS NOT NULL
"""


SELECT_NOTES: Final = """
    SELECT order_id, note FROM pharmacy_release
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND note IS NOT NULL ORDER BY order_id
"""


async def export_notes(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return what pharmacists have noted about a person's orders."""
    return [dict(row) for row in await sql.fetch(SELECT_NOTES, person.owner_id, sorted(person.order_ids))]


async def erase_notes(person: Person) -> None:
    """Erase the notes; who decided what, and when, stays."""
    await sql.execute(ERASE_NOTES, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("pharmacy", erase_notes, export=export_notes)
