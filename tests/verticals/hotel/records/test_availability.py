"""Records of availability."""

from datetime import date

from comanda.basics import Money
from comanda.contracts import to_wire
from comanda_hotel.records.availability import OfferedNight, RoomAvailability, RoomTypeOffer
from comanda_hotel.schemas.availability import Reason


def test_offers_have_nights_and_a_reason():
    nightly = [OfferedNight(date(2026, 6, 1), Money(12000, "EUR"), 0)]
    offer = RoomTypeOffer(1, "Double", None, 0, 2, 1, 1, nightly, Money(12000, "EUR"), "EUR", Reason.SOLD_OUT)
    found = RoomAvailability(3, date(2026, 6, 1), date(2026, 6, 2), 1, 2, 0, "EUR", [offer])

    wire = to_wire(RoomAvailability, found)

    assert (wire["restaurant_id"], wire["nights"], wire["currency"]) == (3, 1, "EUR")
    [shown] = wire["room_types"]
    assert (shown["total"], shown["currency"], shown["reason"]) == (120.0, "EUR", "sold_out")
    assert shown["nightly"] == [{"date": date(2026, 6, 1), "price": 120.0, "available": 0}]
