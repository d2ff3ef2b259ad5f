"""The journal as CSV for spreadsheets and other programs: each booking is one row of either account."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from comanda.basics import BYTE_ORDER_MARK, to_cell, to_decimal_string
from comanda.web import use_language

from comanda_accounting.services.bookings import BookedClosing, Booking, describe, format_rate

COLUMNS: Final = ("date", "closing", "account", "contra_account", "debit", "credit", "tax_rate", "text", "currency")
SOURCE_LANGUAGE: Final = "en"


def create_csv(closings: Iterable[BookedClosing]) -> bytes:
    """Return the bookings of closings as a file. The debits of each closing come to its credits."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    with use_language(SOURCE_LANGUAGE):
        for booked in closings:
            for booking in booked.bookings:
                writer.writerows([to_cell(value) for value in row] for row in _list_rows(booked, booking))
    return f"{BYTE_ORDER_MARK}{text.getvalue()}".encode()


def _list_rows(booked: BookedClosing, booking: Booking) -> Sequence[Sequence[Any]]:
    currency = booked.closing.currency
    amount = to_decimal_string(abs(booking.amount_minor), currency)
    rate = None if booking.rate_ppm is None else format_rate(booking.rate_ppm)
    debited, credited = booking.account, booking.contra
    if booking.amount_minor < 0:
        debited, credited = credited, debited
    start, end = (booked.day.isoformat(), booked.closing.number), (rate, describe(booking), currency)
    return (*start, debited, credited, amount, None, *end), (*start, credited, debited, None, amount, *end)
