"""The room of a calendar with its hotel, found without a caller: by its address or by its row."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from comanda.basics import parse_owner_prefix, require_found
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_hotel.services.hotels import MAX_DAYS_AHEAD, Hotel

SECRET_BYTES: Final = 24
# In url-safe base 64.
SECRET_LENGTH: Final = 32
MAX_TOKEN_LENGTH: Final = 64
# How many nights ahead calendars are exchanged: no stay begins later.
DAYS_AHEAD: Final = MAX_DAYS_AHEAD

COLUMNS: Final = """
    c.id, c.name, c.url, c.created_at, r.id AS room_id, r.number, r.room_type_id, r.status, r.is_active,
    s.id AS store_id, s.owner_id, s.currency, s.timezone, o.is_suspended
"""
JOINS: Final = """
    FROM hotel_room_calendar c
    JOIN hotel_room r ON r.id = c.room_id AND r.owner_id = c.owner_id
    JOIN core_store_v1 s ON s.id = r.store_id AND s.owner_id = r.owner_id
    JOIN core_owner_v1 o ON o.id = c.owner_id
"""
SELECT_BY_ADDRESS: Final = f"SELECT {COLUMNS} {JOINS} WHERE c.token = $1 AND c.owner_id = $2 AND NOT o.is_suspended"
SELECT_BY_ID: Final = f"SELECT {COLUMNS} {JOINS} WHERE c.id = $1 AND c.owner_id = $2"


@dataclass(frozen=True, slots=True)
class KnownCalendar:
    """A calendar of a room of a hotel, as it was when it was read."""

    id: int
    name: str
    url: str | None
    created_at: datetime
    hotel: Hotel
    room_id: int
    room_number: str
    room_type_id: int
    room_status: str
    is_room_active: bool
    is_suspended: bool


async def find_by_token(token: str) -> KnownCalendar:
    """Return the calendar with an address. Raises ``NotFound``, also while its owner is suspended."""
    may_be = token.isascii() and len(token) <= MAX_TOKEN_LENGTH
    owner_id = parse_owner_prefix(token, SECRET_LENGTH) if may_be else None
    row = require_found(None if owner_id is None else await sql.fetch_one(SELECT_BY_ADDRESS, token, owner_id))
    return _to_calendar(row)


async def find_by_id(owner_id: int, calendar_id: int) -> KnownCalendar | None:
    """Return a calendar, or None if there is none."""
    row = await sql.fetch_one(SELECT_BY_ID, calendar_id, owner_id)
    return None if row is None else _to_calendar(row)


def get_uid_prefix(room_id: int) -> str:
    """Return what the UIDs of a room's events begin with, in all of its calendars."""
    return f"room{room_id}-"


def get_uid_suffix() -> str:
    """Return what the UIDs of this installation end with."""
    return f"@{urlsplit(runtime.settings().site_url).hostname}"


def _to_calendar(row: sql.Row) -> KnownCalendar:
    return sql.to_record(
        KnownCalendar,
        row,
        hotel=Hotel(row["store_id"], row["owner_id"], row["currency"], ZoneInfo(row["timezone"])),
        room_number=row["number"],
        room_status=row["status"],
        is_room_active=row["is_active"],
    )
