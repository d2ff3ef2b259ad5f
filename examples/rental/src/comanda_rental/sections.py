"""What the lines of orders say of their bookings."""

from typing import Final

from comanda.contracts import OrderState, Record, Section

from comanda_rental.fulfillment_modes import DAY_HIRE
from comanda_rental.schemas import BookedLine
from comanda_rental.services import bookings


def is_hire(order: OrderState) -> bool:
    """Return whether an order may have bookings."""
    return order.type == DAY_HIRE.code


BOOKED_LINES: Final = Section(
    name=bookings.SECTION_NAME,
    record=Record.LINE,
    fields=BookedLine,
    load=bookings.load_booked_lines,
    wants=is_hire,
    is_set_by_participant=True,
)
