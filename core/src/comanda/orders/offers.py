"""What a store offers its guests at a moment, such as a happy hour, as the participants of its orders say."""

from datetime import datetime

from comanda.contracts.orders.participants import StoreOffer, StoreParticipant, StoreTerms
from comanda.orders.participant_calls import ParticipantFailed, call_step, check_answer


def list_offers(terms: StoreTerms, moment: datetime) -> tuple[StoreOffer, ...]:
    """List what a store offers, from memory; a participant that fails offers nothing."""
    found: list[StoreOffer] = []
    parts = {part.participant.name: part for parts in terms.parts.values() for part in parts if part.is_loaded}
    for part in parts.values():
        if part.participant.offers is not None:
            found += _call(part, terms, moment)
    return tuple(found)


def _call(part: StoreParticipant, terms: StoreTerms, moment: datetime) -> list[StoreOffer]:
    offers = part.participant.offers
    try:
        answer = None if offers is None else call_step(part, offers, terms, part.loaded, moment)
        return [check_answer(part, each, StoreOffer, "offers") for each in answer or ()]
    except ParticipantFailed:
        return []
