"""Forgets where a person's orders were brought to, and what drivers noted about it."""

from typing import Final

from comanda.accounts import codes
from comanda.contracts.erasure import Person, PersonalDataEraser
from comanda.db import sql
from comanda.orders.erasure import anonymize_events, delete_order_fields

from comanda_drivers.events import Delivered, DeliveryFailed, OutForDelivery
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.services import proving

FORGET_PHOTOS: Final = """
    DELETE FROM drivers_photo f USING drivers_proof p
    WHERE f.owner_id = $1 AND p.id = f.proof_id AND p.owner_id = f.owner_id AND p.order_id = ANY($2::bigint[])
"""
FORGET_REASONS: Final = """
    UPDATE drivers_offer SET reason = NULL
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND reason IS NOT NULL
"""


async def erase(person: Person) -> None:
    """Take the address's position from a person's orders, photos of their doors, and what drivers noted of them."""
    await delete_order_fields(person, *AddressFields.model_fields)
    scope = (person.owner_id, sorted(person.order_ids))
    await sql.execute(FORGET_PHOTOS, *scope)
    await sql.execute(FORGET_REASONS, *scope)
    await codes.delete_codes([proving.holder(person.owner_id, order_id) for order_id in scope[1]])
    for event in (OutForDelivery, Delivered, DeliveryFailed):
        await anonymize_events(person, event, "order_id", person.order_ids)


ERASER: Final = PersonalDataEraser("drivers", erase)
