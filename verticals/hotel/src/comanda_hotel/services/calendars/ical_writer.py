"""Writing iCalendar files: all-day events of the nights that are taken, and nothing of who took them.

Source: RFC 5545, sections 3.1 (folding), 3.3.11 (escaping), 3.6.1 (events).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

MAX_LINE_BYTES: Final = 75
SUMMARY: Final = "Not available"


@dataclass(frozen=True, slots=True)
class TakenNights:
    """Nights of a room that cannot be booked, up to, but not including, ``ends_on``."""

    uid: str
    starts_on: date
    ends_on: date


def write_calendar(name: str, taken: Iterable[TakenNights], created_at: datetime) -> bytes:
    """Return the file of a room's calendar. It changes only with what it says, so that its hash can be its tag."""
    stamp = f"{created_at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Comanda//Rooms//EN", "CALSCALE:GREGORIAN"]
    lines.append(f"X-WR-CALNAME:{escape_text(name)}")
    for nights in taken:
        lines += _write_event(nights, stamp)
    lines.append("END:VCALENDAR")
    return b"".join(fold_line(line) for line in lines)


def escape_text(text: str) -> str:
    """Escape a value of the type TEXT."""
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r", ""), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return text


def fold_line(line: str) -> bytes:
    """Return a line in pieces of at most 75 bytes, none of which ends within a character."""
    folded, length = bytearray(), 0
    for character in line:
        encoded = character.encode("utf-8", "replace")
        if length + len(encoded) > MAX_LINE_BYTES:
            folded += b"\r\n "
            length = 1
        folded += encoded
        length += len(encoded)
    return bytes(folded) + b"\r\n"


def _write_event(nights: TakenNights, stamp: str) -> Sequence[str]:
    return (
        "BEGIN:VEVENT",
        f"UID:{nights.uid}",
        f"DTSTAMP:{stamp}",
        f"DTSTART;VALUE=DATE:{nights.starts_on:%Y%m%d}",
        f"DTEND;VALUE=DATE:{nights.ends_on:%Y%m%d}",
        f"SUMMARY:{SUMMARY}",
        "END:VEVENT",
    )
