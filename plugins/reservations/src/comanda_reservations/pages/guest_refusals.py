"""Why guests cannot reserve a table, cancel a reservation or join the waitlist, in sentences for them."""

from collections.abc import Mapping
from typing import Final

from comanda.web import N_

from comanda_reservations.services.guest_waitlist import ALREADY_WAITING
from comanda_reservations.services.reservation_rules import RefusalReason
from comanda_reservations.services.waitlist import WAITLIST_FULL, WAITLIST_OFF

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
WAITLIST_SENTENCES: Final[Mapping[str, str]] = {
    WAITLIST_OFF: N_("The waitlist is closed at the moment. Please ask our staff."),
    WAITLIST_FULL: N_("The waitlist is full at the moment. Please ask our staff."),
    RefusalReason.CLOSED: N_("The restaurant is closed at the moment."),
    RefusalReason.PARTY_TOO_LARGE: N_("For a party of this size, please ask our staff."),
    ALREADY_WAITING: N_("This phone number is on the waitlist already."),
    "wrong_status": N_("You are no longer on the waitlist."),
}
