"""The order participant that prices hires by the day and books the pieces of tools."""

from typing import Final

from comanda.contracts import OrderParticipant

from comanda_rental.fulfillment_modes import DAY_HIRE
from comanda_rental.services import bookings, hire_days

BOOKINGS: Final = OrderParticipant(
    name="rental_bookings",
    modes=(DAY_HIRE.code,),
    load=hire_days.load_terms,
    price=hire_days.price_by_day,
    validate=hire_days.validate_days,
    reserve=bookings.reserve_pieces,
    placed=bookings.create_bookings,
    sections=bookings.describe_lines,
    cancelled=bookings.cancel_bookings,
    reopened=bookings.reopen_bookings,
    amended=bookings.amend_bookings,
)
