"""Personal data in redemptions: their export, and the erasure of phone numbers. They count for the account, if any."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

ANONYMIZE_REDEMPTIONS: Final = (
    "UPDATE coupons_use SET phone_key = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
)


SELECT_REDEMPTIONS: Final = """
    SELECT u.used_at, u.order_id, coalesce(c.code, c.name) AS coupon, u.returned_at
    FROM coupons_use u JOIN coupons_coupon c ON c.id = u.coupon_id AND c.owner_id = u.owner_id
    WHERE u.owner_id = $1 AND u.order_id = ANY($2::bigint[]) ORDER BY u.id
"""


async def export_redemptions(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return the coupons and promotions of a person's orders."""
    rows = await sql.fetch(SELECT_REDEMPTIONS, person.owner_id, sorted(person.order_ids))
    return [dict(row) for row in rows]


async def erase_personal_data(person: Person) -> None:
    """Erase the phone number from the redemptions of a person's orders; it counts as new from then on."""
    await sql.execute(ANONYMIZE_REDEMPTIONS, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("coupons", erase_personal_data, export=export_redemptions)
