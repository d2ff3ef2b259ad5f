"""Erasure of personal data: the address and tracking of shipments. Their contents stay."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

# A carrier's tracking page shows the recipient.
ANONYMIZE_SHIPMENTS: Final = """
    UPDATE shipping_shipment SET address = NULL, tracking_number = NULL, tracking_url = NULL, body_hash = NULL
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[])
"""


async def erase_shipment_addresses(person: Person) -> None:
    """Delete address and tracking from the shipments of a person's orders."""
    await sql.execute(ANONYMIZE_SHIPMENTS, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("shipping", erase_shipment_addresses)
