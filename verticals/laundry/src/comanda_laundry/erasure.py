"""Export and erasure of personal data: notes on garments, which may describe a person. Weights and tags stay."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

DELETE_NOTES: Final = """
    UPDATE laundry_garment SET note = NULL
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND note IS NOT NULL
"""


SELECT_NOTES: Final = """
    SELECT order_id, note FROM laundry_garment
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND note IS NOT NULL ORDER BY id
"""


async def export_notes(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return the notes on the garments of a person's orders."""
    return [dict(row) for row in await sql.fetch(SELECT_NOTES, person.owner_id, sorted(person.order_ids))]


async def erase_notes(person: Person) -> None:
    """Delete the notes on the garments of a person's orders."""
    await sql.execute(DELETE_NOTES, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("laundry", erase_notes, export=export_notes)
