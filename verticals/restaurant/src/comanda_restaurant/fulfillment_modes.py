"""Fulfillment modes of restaurants."""

from typing import Final

from comanda.contracts import FulfillmentMode
from comanda.web import N_

ON_TABLE: Final = FulfillmentMode(
    code="on-table",
    label=N_("Dine in"),
    required_fields=(("table_number", N_("Table number is required for dine-in orders.")),),
    is_collection=True,
)
TAKEAWAY: Final = FulfillmentMode(code="takeaway", label=N_("Takeaway"), is_collection=True)
# Clients that only know the specification's fields have none for the room number and may put it in the note.
ROOM_SERVICE: Final = FulfillmentMode(
    code="room_service",
    label=N_("Room service"),
    guest_fields=(
        ("room_number", N_("Room number is required for room service orders.")),
        ("customer_name", N_("The name of a guest of the room is required.")),
    ),
)
