"""Events of cash drawers. Amounts are decimal strings, as in every webhook."""

from datetime import datetime

from comanda.contracts import Event

SAMPLE_SHIFT = {
    "shift_id": 88,
    "restaurant_id": 7,
    "drawer": "Bar",
    "currency": "EUR",
    "opened_by": "staff:12",
    "opened_at": "2026-03-02T08:00:00+00:00",
    "opening_float": "100.00",
}


class _ShiftEvent(Event):
    scope = "orders:read"

    shift_id: int
    restaurant_id: int
    drawer: str
    currency: str
    opened_by: str
    opened_at: datetime
    opening_float: str


class ShiftOpened(_ShiftEvent):
    """A cash drawer was opened for a shift. Not sent for the shifts of drivers."""

    name = "shift.opened"
    sample = SAMPLE_SHIFT


class DriverCashHandedIn(Event):
    """A driver handed in collected cash. ``left`` is what they still hold for the store."""

    name = "driver_cash.handed_in"
    scope = "orders:read"
    sample = {
        "movement_id": 512,
        "shift_id": 88,
        "restaurant_id": 7,
        "drawer": "Bar",
        "driver_id": 31,
        "amount": "86.40",
        "left": "0.00",
        "currency": "EUR",
        "taken_by": "staff:12",
        "at": "2026-03-02T15:40:00+00:00",
    }

    movement_id: int
    shift_id: int
    restaurant_id: int
    drawer: str
    driver_id: int
    amount: str
    left: str
    currency: str
    taken_by: str
    at: datetime


class ShiftClosed(_ShiftEvent):
    """A cash drawer was counted and its shift closed. ``difference`` is ``counted`` minus ``expected``."""

    name = "shift.closed"
    sample = {
        **SAMPLE_SHIFT,
        "closed_by": "staff:12",
        "closed_at": "2026-03-02T16:10:00+00:00",
        "expected": "412.50",
        "counted": "410.00",
        "difference": "-2.50",
    }

    closed_by: str
    closed_at: datetime
    expected: str
    counted: str
    difference: str
