"""What a store offers its guests, as participants say."""

from datetime import UTC, datetime
from types import SimpleNamespace

from comanda.contracts import OrderParticipant, StoreOffer
from comanda.contracts.orders.participants import StoreParticipant
from comanda.orders import list_offers

MOMENT = datetime(2030, 1, 7, 18, tzinfo=UTC)
UNTIL = datetime(2030, 1, 7, 19, tzinfo=UTC)


def create_terms(*parts):
    return SimpleNamespace(parts={"takeaway": parts, "delivery": parts})


def create_part(name, offers, *, is_loaded=True):
    return StoreParticipant(OrderParticipant(name, offers=offers), "known", "plugin", is_loaded)


def test_offers_of_all_participants_are_listed_once():
    happy = create_part("happy", lambda terms, loaded, moment: [StoreOffer(f"{loaded} at {moment:%H}", UNTIL)])
    silent, new = create_part("silent", None), create_part("new", lambda *_: [StoreOffer("Welcome")])

    assert list_offers(create_terms(happy, silent, new), MOMENT) == (
        StoreOffer("known at 18", UNTIL),
        StoreOffer("Welcome"),
    )


def test_participant_that_fails_or_answers_wrongly_offers_nothing():
    parts = [
        create_part("broken", lambda *_: 1 / 0),
        create_part("wrong", lambda *_: ["Happy hour"]),
        create_part("missing", lambda *_: [StoreOffer("Never")], is_loaded=False),
        create_part("nothing", lambda *_: None),
        create_part("fine", lambda *_: [StoreOffer("Fine")]),
    ]

    assert list_offers(create_terms(*parts), MOMENT) == (StoreOffer("Fine"),)
