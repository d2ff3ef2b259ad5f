"""The erasure of phone numbers from redemptions. The redemptions stay, and count for the customer account if any."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

ANONYMIZE_REDEMPTIONS: Final = (
    "UPDATE coupons_use SET phone_key = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
)


async def erase_personal_data(person: Person) -> None:
    """Erase the phone number from the redemptions of a person's orders; it counts as new from then on."""
    await sql.execute(ANONYMIZE_REDEMPTIONS, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("coupons", erase_personal_data)
