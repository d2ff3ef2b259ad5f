"""Calendars of strangers: what their events take, however they are written, and no more time than that takes."""

import time
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from comanda_hotel.services.calendars.ical_reader import ForeignEvent, NotACalendar, read_calendar

LISBON = ZoneInfo("Europe/Lisbon")
MARCH_10, MARCH_11, MARCH_12 = date(2027, 3, 10), date(2027, 3, 11), date(2027, 3, 12)


def write(*lines, end="\r\n"):
    return end.join(("BEGIN:VCALENDAR", "VERSION:2.0", *lines, "END:VCALENDAR", "")).encode()


def write_event(*lines, **options):
    return write("BEGIN:VEVENT", "UID:a@example.com", *lines, "END:VEVENT", **options)


def read(content):
    return read_calendar(content, LISBON)


def read_nights(*lines, **options):
    return [(event.starts_on, event.ends_on) for event in read(write_event(*lines, **options)).events]


def test_all_day_event_ends_before_its_end():
    found = read(write_event("DTSTART;VALUE=DATE:20270310", "DTEND;VALUE=DATE:20270312", "SUMMARY:Ada"))

    assert found.events == (ForeignEvent("a@example.com", MARCH_10, MARCH_12),)
    assert found.unread_count == 0


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("DTSTART:20270310T150000", "DTEND:20270312T110000"),
        ("DTSTART:20270310T150000Z", "DTEND:20270312T110000Z"),
        # In Auckland the days begin and end half a day earlier.
        ("DTSTART;TZID=Pacific/Auckland:20270311T030000", "DTEND;TZID=Pacific/Auckland:20270312T220000"),
        ('DTSTART;TZID="Europe/Lisbon":20270310T150000', "DTEND;TZID=Europe/Lisbon:20270312T110000"),
        ("DTSTART;TZID=W. Europe Standard Time:20270310T150000", "DTEND:20270312T110000"),
        ("DTSTART;TZID=../../etc/passwd:20270310T150000", "DTEND:20270312T110000"),
        ("DTSTART;TZID=Europe:20270310T150000", "DTEND:20270312T110000"),
        ("DTSTART:20270310", "DURATION:P2D"),
        ("DTSTART:20270310T150000", "DURATION:P1DT20H"),
        ("dtstart;value=date:20270310", 'Dtend;X-A="b:c";VALUE=DATE:20270312'),
    ],
)
def test_times_become_days_of_the_hotel(start, end):
    assert read_nights(start, end) == [(MARCH_10, MARCH_12)]


def test_clocks_that_change_move_no_night():
    # On 28 March 2027 there is no 01:30 in Lisbon, on 31 October there are two.
    assert read_nights("DTSTART;TZID=Europe/Lisbon:20270328T013000", "DTEND:20270329T100000") == [
        (date(2027, 3, 28), date(2027, 3, 29))
    ]
    assert read_nights("DTSTART:20271030T233000Z", "DTEND;TZID=Europe/Lisbon:20271101T100000") == [
        (date(2027, 10, 31), date(2027, 11, 1))
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("DTSTART;VALUE=DATE:20270310",),
        ("DTSTART;VALUE=DATE:20270310", "DTEND;VALUE=DATE:20270310"),
        ("DTSTART:20270310T100000Z", "DTEND:20270310T120000Z"),
    ],
)
def test_what_ends_on_its_day_takes_that_night(lines):
    assert read_nights(*lines) == [(MARCH_10, MARCH_11)]


@pytest.mark.parametrize(
    "lines",
    [
        ("DTSTART;VALUE=DATE:20270312", "DTEND;VALUE=DATE:20270310"),
        ("DTEND;VALUE=DATE:20270310",),
        ("DTSTART;VALUE=DATE:20270230", "DTEND;VALUE=DATE:20270310"),
        ("DTSTART:99999999T999999", "DTEND:20270310"),
        ("DTSTART:00010101T000000Z", "DTEND;TZID=Asia/Tokyo:99991231T235959"),
        ("DTSTART:20270310", "DTEND:20270312T110000Z"),
        ("DTSTART:20270310", "DURATION:P9999D9999W"),
        ("DTSTART:99991201", "DURATION:P9999D"),
        ("DTSTART:20270310", "DURATION:-P2D"),
        ("DTSTART:٢٠٢٧٠٣١٠",),
        ("DTSTART:",),
    ],
)
def test_times_that_make_no_sense_are_counted(lines):
    found = read(write_event(*lines))

    assert (found.events, found.unread_count) == ((), 1)


def test_cancelled_event_takes_nothing():
    found = read(write_event("STATUS:CANCELLED", "DTSTART:20270310", "DTEND:20270312"))

    assert (found.events, found.unread_count) == ((), 0)


def test_series_counts_once_and_is_named():
    found = read(write_event("DTSTART:20270310", "DTEND:20270311", "RRULE:FREQ=SECONDLY"))

    assert ([event.starts_on for event in found.events], found.unread_count) == ([MARCH_10], 1)


def test_event_without_a_uid_is_known_by_its_nights():
    nights = ("BEGIN:VEVENT", "DTSTART:20270310", "DTEND:20270312", "END:VEVENT")

    first, second = read(write(*nights)).events[0], read(write(*nights, *nights)).events

    assert second[0].uid_hash == first.uid_hash != second[1].uid_hash


def test_lines_are_unfolded_and_alarms_left_out():
    found = read(
        b"\xef\xbb\xbfBEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@ex\n ample.com\nDTSTART;VALU\n\tE=DATE:20270310\n"
        b"BEGIN:VALARM\nUID:alarm\nDTSTART:20300101\nEND:VALARM\nDTEND:20270312\n\xff\xfe\nEND:VEVENT\nEND:VCALENDAR"
    )

    assert found.events == (ForeignEvent("a@example.com", MARCH_10, MARCH_12),)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\xff", b"<html>Sign in</html>", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20270310\r\n",
     b"BEGIN:VCALENDAR", write_event("DTSTART:20270310")[:-20]],
)  # fmt: skip
def test_what_is_no_whole_calendar_is_refused(content):
    with pytest.raises(NotACalendar):
        read(content)


HOSTILE = {
    "one line": ["X-A:" + "a" * 1_000_000],
    "folds": ["X-A:" + "\r\n a" * 300_000],
    "parameters": ["DTSTART" + ";a=b" * 250_000 + ":20270310"],
    "quotes": ["DTSTART" + ';a="b:' * 150_000],
    "components": ["BEGIN:VEVENT"] * 70_000,
    "properties": ["BEGIN:VEVENT", *["A:1"] * 200_000, "END:VEVENT"],
    "zones": [
        "BEGIN:VTIMEZONE", "TZID:Slow", "BEGIN:STANDARD", "DTSTART:19700101T000000", "RRULE:FREQ=SECONDLY",
        "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE",
        "BEGIN:VEVENT", "DTSTART;TZID=Slow:20270310T120000", "END:VEVENT",
    ],
    "names of zones": [
        line for number in range(15_000)
        for line in ("BEGIN:VEVENT", f"DTSTART;TZID=Zone/{number}:20270310T120000", "END:VEVENT")
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_takes_seconds_at_most(name):
    content = write(*HOSTILE[name])
    assert len(content) < 1_300_000
    started = time.process_time()

    read(content)

    assert time.process_time() - started < 5


def test_a_hundred_thousand_events_are_read():
    content = write(*["BEGIN:VEVENT\r\nDTSTART:20270310\r\nEND:VEVENT"] * 100_000)

    assert len(read(content).events) == 100_000
