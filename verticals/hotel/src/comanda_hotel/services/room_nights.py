"""Nights of single rooms and the stays that they are assigned to, guarded by the table's unique key."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import asyncpg
from comanda.basics import Conflict
from comanda.platform.db import get_constraint_name, sql

from comanda_hotel import models

SELECT_FIRST_TAKEN_NIGHT = """
    SELECT min(night) AS night FROM hotel_room_night
    WHERE room_id = $1 AND owner_id = $2 AND night >= $3 AND night < $4
      AND (stay_id IS NULL OR stay_id IS DISTINCT FROM $5)
"""
INSERT_STAY_NIGHTS = """
    INSERT INTO hotel_room_night (owner_id, room_id, night, stay_id)
    SELECT $1, $2, night::date, $3 FROM generate_series($4::date, $5::date - 1, interval '1 day') AS night
"""
DELETE_STAY_NIGHTS = "DELETE FROM hotel_room_night WHERE stay_id = $1 AND owner_id = $2 AND night >= $3"


async def assign_nights(room: models.Room, stay_id: int, since: date, until: date) -> None:
    """Assign a room's nights from ``since`` up to ``until`` to a stay, replacing those it had from ``since`` on.

    Raises ``Conflict`` with the reason ``room_taken`` if one of them is taken.
    """
    await check_nights_free(room, since, until, stay_id)
    await release_nights(stay_id, room.owner_id, since)
    with translate_conflict(room):
        await sql.execute(INSERT_STAY_NIGHTS, room.owner_id, room.id, stay_id, since, until)


async def release_nights(stay_id: int, owner_id: int, since: date = date.min) -> None:
    """Release the nights of a stay from a day on."""
    await sql.execute(DELETE_STAY_NIGHTS, stay_id, owner_id, since)


async def check_nights_free(room: models.Room, since: date, until: date, except_stay_id: int | None = None) -> None:
    """Raise ``Conflict`` if a night from ``since`` up to ``until`` is taken by anything but ``except_stay_id``."""
    night = await sql.fetch_value(SELECT_FIRST_TAKEN_NIGHT, room.id, room.owner_id, since, until, except_stay_id)
    if night is not None:
        raise _to_conflict(room, night)


@contextmanager
def translate_conflict(room: models.Room) -> Iterator[None]:
    """Raise ``Conflict`` if the database refuses a night because it was taken in the meantime."""
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        if get_constraint_name(error) != "hotel_room_night_once":
            raise
        raise _to_conflict(room, None) from error


def _to_conflict(room: models.Room, night: date | None) -> Conflict:
    when = f" on {night}" if night else " meanwhile"
    return Conflict(f"Room {room.number} is taken{when}.", extras={"reason": "room_taken"})
