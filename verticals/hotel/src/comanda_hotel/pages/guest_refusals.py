"""Why a room cannot be booked, in sentences for guests."""

from collections.abc import Mapping
from typing import Final

from comanda.web import N_
from comanda.web import gettext as _

from comanda_hotel.schemas.availability import Reason

SENTENCES: Final[Mapping[str, str]] = {
    Reason.OCCUPANCY: N_("This room is too small for your party."),
    Reason.MIN_STAY: N_("Your stay is shorter than the minimum for this room."),
    Reason.NO_ROOMS: N_("This room is not for sale at the moment."),
    Reason.OUT_OF_ORDER: N_("This room is not available on one of these nights."),
    Reason.SOLD_OUT: N_("This room is sold out on one of these nights."),
    "no_online_payment": N_("The deposit cannot be paid here at the moment. Please call the hotel."),
    "wrong_status": N_("This stay can no longer be cancelled here. Please call the hotel."),
}


def get_refusal_text(reason: str) -> str:
    """Return the sentence for a reason, in the language of the page."""
    return _(SENTENCES[reason])
