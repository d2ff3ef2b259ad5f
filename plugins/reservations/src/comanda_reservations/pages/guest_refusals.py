"""Why a table cannot be reserved, or a reservation not be cancelled, in sentences for guests."""

from collections.abc import Mapping
from typing import Final

from comanda.web import N_

from comanda_reservations.services.reservation_rules import RefusalReason

SENTENCES: Final[Mapping[str, str]] = {
    RefusalReason.NOT_ACCEPTING: N_("This restaurant takes no reservations here at the moment. Please call."),
    RefusalReason.PAST: N_("This time is over."),
    RefusalReason.TOO_SOON: N_("This time is too soon. Please choose a later one, or call."),
    RefusalReason.TOO_FAR: N_("This time is too far ahead."),
    RefusalReason.CLOSED: N_("The restaurant is closed at this time."),
    RefusalReason.PARTY_TOO_LARGE: N_("For a party of this size, please call."),
    RefusalReason.FULLY_BOOKED: N_("This time is fully booked. Please choose another one."),
    RefusalReason.NO_ONLINE_PAYMENT: N_("The deposit cannot be paid here at the moment. Please call."),
    "wrong_status": N_("This reservation can no longer be cancelled here. Please call."),
}
