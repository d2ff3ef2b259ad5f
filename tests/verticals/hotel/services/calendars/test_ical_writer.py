"""Files of calendars, byte for byte."""

from datetime import UTC, date, datetime

import pytest
from comanda_hotel.services.calendars.ical_writer import TakenNights, escape_text, fold_line, write_calendar

GOLDEN = (
    b"BEGIN:VCALENDAR\r\n"
    b"VERSION:2.0\r\n"
    b"PRODID:-//Comanda//Rooms//EN\r\n"
    b"CALSCALE:GREGORIAN\r\n"
    b"X-WR-CALNAME:12\\, sea\\; \xc3\xa9tage\r\n"
    b"BEGIN:VEVENT\r\n"
    b"UID:room7-3f@hotel.example\r\n"
    b"DTSTAMP:20270101T120000Z\r\n"
    b"DTSTART;VALUE=DATE:20270310\r\n"
    b"DTEND;VALUE=DATE:20270312\r\n"
    b"SUMMARY:Not available\r\n"
    b"END:VEVENT\r\n"
    b"END:VCALENDAR\r\n"
)


def test_file_is_as_it_always_was():
    taken = [TakenNights("room7-3f@hotel.example", date(2027, 3, 10), date(2027, 3, 12))]

    assert write_calendar("12, sea; étage", taken, datetime(2027, 1, 1, 12, tzinfo=UTC)) == GOLDEN


def test_text_is_escaped():
    assert escape_text("a\\b;c,d\r\ne:") == "a\\\\b\\;c\\,d\\ne:"


@pytest.mark.parametrize("character", ["a", "é", "€", "🏨"])
def test_lines_are_folded_between_characters(character):
    folded = fold_line("X-WR-CALNAME:" + character * 200)

    pieces = folded.removesuffix(b"\r\n").split(b"\r\n ")
    assert max(map(len, folded.split(b"\r\n"))) <= 75
    assert all(piece.decode() for piece in pieces)
    assert b"".join(pieces).decode() == "X-WR-CALNAME:" + character * 200
