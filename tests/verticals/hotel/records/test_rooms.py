"""Records of rooms."""

from datetime import date

from comanda.basics import Money
from comanda.basics.clock import now
from comanda.contracts import to_wire
from comanda_hotel.records.rooms import RatePeriod, RoomBlock, RoomTypePrices


def test_prices_are_shown_by_weekday_and_period():
    period = RatePeriod(date(2026, 12, 30), date(2027, 1, 2), Money(22000, "EUR"))
    prices = RoomTypePrices(
        1, "EUR", Money(12000, "EUR"), Money(0, "EUR"), {"monday": None, "friday": Money(14000, "EUR")}, [period]
    )

    wire = to_wire(RoomTypePrices, prices)

    assert (wire["currency"], wire["base_price"]) == ("EUR", 120.0)
    assert wire["weekdays"] == {"monday": None, "friday": 140.0}
    assert wire["nights"] == [{"from": date(2026, 12, 30), "to": date(2027, 1, 2), "price": 220.0}]


def test_block_is_shown_from_its_first_night():
    wire = to_wire(RoomBlock, RoomBlock(1, 2, date(2026, 6, 1), date(2026, 6, 3), None, now()))

    assert (wire["from"], wire["to"]) == (date(2026, 6, 1), date(2026, 6, 3))
