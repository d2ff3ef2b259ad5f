"""Records of stays."""

from dataclasses import replace
from datetime import date

from comanda.basics import Money
from comanda.basics.clock import now
from comanda.contracts import to_wire
from comanda_hotel.models import StayStatus
from comanda_hotel.records.stays import CustomerStays, NightPrice, StayWithFolio
from comanda_hotel.schemas.stays import StayDetail, StayOut
from comanda_hotel.schemas.tools import BookingsOut


def build_stay():
    moment = now()
    return StayWithFolio(
        id=5, store_id=3, status=StayStatus.CHECKED_IN, room_type_id=1, room_type="Double", room_id=None,
        room_number=None, guest_name="Ana", phone=None, email=None, adults=2, children=0, check_in=date(2026, 6, 1),
        check_out=date(2026, 6, 4), departed_on=None, expires_at=None, total=Money(36000, "EUR"),
        charges_total=Money(1250, "EUR"), note="Late arrival", source="api", cancelled_by=None, customer_id=None,
        reservation_id=9, nightly=[NightPrice(date(2026, 6, 1), Money(12000, "EUR"))], timeline={"created_at": moment},
        created_at=moment, updated_at=moment, folio=[],
    )  # fmt: skip


def test_folio_total_is_nights_and_charges():
    wire = to_wire(StayDetail, build_stay())

    assert (wire["nights"], wire["total"], wire["charges_total"], wire["folio_total"]) == (3, 360.0, 12.5, 372.5)
    assert wire["nightly"] == [{"date": date(2026, 6, 1), "price": 120.0}]


def test_lists_show_neither_nights_nor_folio():
    wire = to_wire(StayOut, build_stay())

    assert wire["restaurant_id"] == 3
    assert not {"nightly", "folio", "folio_total", "timeline"} & wire.keys()


def test_customers_do_not_see_the_hotels_note():
    [booking] = to_wire(BookingsOut, CustomerStays([build_stay()]))["bookings"]

    assert not {"note", "source", "customer_id"} & booking.keys()


def test_nights_of_guests_who_left_early_are_those_that_are_charged():
    stay = build_stay()

    assert (stay.nights, replace(stay, departed_on=stay.check_in).nights) == (3, len(stay.nightly))
