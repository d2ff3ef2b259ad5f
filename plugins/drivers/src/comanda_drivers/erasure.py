"""Erasure of a person's delivery addresses, proof photos and drivers' notes."""

from typing import Final

from comanda.accounts import codes
from comanda.contracts import Person, PersonalDataEraser
from comanda.orders import anonymize_events, delete_order_fields
from comanda.platform.db import sql

from comanda_drivers.events import Delivered, DeliveryFailed, OutForDelivery
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.services.deliveries import proof_of_delivery

DELETE_PHOTOS: Final = """
    DELETE FROM drivers_photo f USING drivers_proof p
    WHERE f.owner_id = $1 AND p.id = f.proof_id AND p.owner_id = f.owner_id AND p.order_id = ANY($2::bigint[])
"""
CLEAR_OFFER_REASONS: Final = """
    UPDATE drivers_offer SET reason = NULL
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND reason IS NOT NULL
"""


async def erase_person(person: Person) -> None:
    """Delete the coordinates, proof photos, codes and drivers' notes of a person's orders."""
    await delete_order_fields(person, *AddressFields.model_fields)
    scope = (person.owner_id, sorted(person.order_ids))
    await sql.execute(DELETE_PHOTOS, *scope)
    await sql.execute(CLEAR_OFFER_REASONS, *scope)
    await codes.delete_codes(
        [proof_of_delivery.build_code_recipient(person.owner_id, order_id) for order_id in scope[1]]
    )
    for event in (OutForDelivery, Delivered, DeliveryFailed):
        await anonymize_events(person, event, "order_id", person.order_ids)


ERASER: Final = PersonalDataEraser("drivers", erase_person)
