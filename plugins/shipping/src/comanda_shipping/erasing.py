"""Forgets where shipments went: what was in them stays."""

from typing import Final

from comanda.contracts.erasure import Person, PersonalDataEraser
from comanda.db import sql

# A carrier's page tells who the parcel was for.
FORGET: Final = """
    UPDATE shipping_shipment SET address = NULL, tracking_number = NULL, tracking_url = NULL, body_hash = NULL
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[])
"""


async def erase(person: Person) -> None:
    """Take address and tracking from the shipments of a person's orders."""
    await sql.execute(FORGET, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("shipping", erase)
