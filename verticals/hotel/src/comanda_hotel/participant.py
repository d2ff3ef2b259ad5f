"""The order participant that charges room-service orders, and late charges, to the folio of a stay."""

from typing import Final

from comanda.contracts import OrderParticipant

from comanda_hotel.schemas.stays import FolioFields
from comanda_hotel.services import folio

FOLIO_PARTICIPANT: Final = OrderParticipant(
    name="hotel_folio",
    modes=("room_service",),
    capability="rooms",
    fields=FolioFields,
    validate=folio.validate_room_number,
    reserve=folio.attach_stay,
    placed=folio.create_charge,
    amended=folio.update_charge,
    cancelled=folio.void_charge,
    reopened=folio.restore_charge,
)
