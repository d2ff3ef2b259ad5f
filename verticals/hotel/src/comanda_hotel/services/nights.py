"""Nights of single rooms: who has been given which. The table's unique key has the last word."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import asyncpg
from comanda.db import sql
from comanda.errors import Conflict

from comanda_hotel.models import Room

TAKEN = """
    SELECT min(night) AS night FROM hotel_room_night
    WHERE room_id = $1 AND owner_id = $2 AND night >= $3 AND night < $4 AND stay_id IS DISTINCT FROM $5
"""
GIVE = """
    INSERT INTO hotel_room_night (owner_id, room_id, night, stay_id)
    SELECT $1, $2, night::date, $3 FROM generate_series($4::date, $5::date - 1, interval '1 day') AS night
"""
RELEASE = "DELETE FROM hotel_room_night WHERE stay_id = $1 AND owner_id = $2 AND night >= $3"


async def give(room: Room, stay_id: int, since: date, until: date) -> None:
    """Give a room's nights from ``since`` up to ``until`` to a stay, instead of what it had from ``since`` on.

    Raises ``Conflict`` with the reason ``room_taken`` if one of them is another's.
    """
    await must_be_free(room, since, until, stay_id)
    await release(stay_id, room.owner_id, since)
    with refused_by_the_database(room):
        await sql.execute(GIVE, room.owner_id, room.id, stay_id, since, until)


async def release(stay_id: int, owner_id: int, since: date = date.min) -> None:
    """Free the nights that a stay has from a day on."""
    await sql.execute(RELEASE, stay_id, owner_id, since)


async def must_be_free(room: Room, since: date, until: date, but_for: int | None = None) -> None:
    """Raise ``Conflict`` if a night from ``since`` up to ``until`` is taken, other than by the stay ``but_for``."""
    night = await sql.fetch_value(TAKEN, room.id, room.owner_id, since, until, but_for)
    if night is not None:
        raise _taken(room, night)


@contextmanager
def refused_by_the_database(room: Room) -> Iterator[None]:
    """Tell of a night that somebody took meanwhile as of any that is taken."""
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        if error.constraint_name != "hotel_room_night_once":
            raise
        raise _taken(room, None) from error


def _taken(room: Room, night: date | None) -> Conflict:
    when = f" on {night}" if night else " meanwhile"
    return Conflict(f"Room {room.number} is taken{when}.", extras={"reason": "room_taken"})
