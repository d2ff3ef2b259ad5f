"""The erasure of free text from the ledger. Points and orders stay, for a customer who has no name any more."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

ANONYMIZE_ENTRIES: Final = """
    UPDATE loyalty_entry SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND account_id IN (
        SELECT id FROM loyalty_account WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3)
"""


async def erase_personal_data(person: Person) -> None:
    """Erase the reasons of adjustments of a person's points."""
    if person.customer_id is not None:
        await sql.execute(ANONYMIZE_ENTRIES, person.owner_id, person.store_id, person.customer_id)


ERASER: Final = PersonalDataEraser("loyalty", erase_personal_data)
