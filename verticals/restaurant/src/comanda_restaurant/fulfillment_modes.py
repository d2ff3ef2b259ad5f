"""Fulfillment modes of restaurants."""

from typing import Final

from comanda.contracts.fulfillment import FulfillmentMode

ON_TABLE: Final = FulfillmentMode(
    code="on-table",
    label="At the table",
    required_fields=(("table_number", "Table number is required for dine-in orders."),),
    is_collection=True,
)
TAKEAWAY: Final = FulfillmentMode(code="takeaway", label="Takeaway", is_collection=True)
# Clients that only know the specification's fields have none for the room number and may put it in the note.
ROOM_SERVICE: Final = FulfillmentMode(code="room_service", label="Room service")
