"""Erasure of what was printed about a person's orders."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

DELETE_JOBS: Final = "DELETE FROM printing_job WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"


async def erase_person(person: Person) -> None:
    """Delete the jobs of a person's orders, which show names and notes."""
    await sql.execute(DELETE_JOBS, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("printing", erase_person)
