"""The store behind a request, as a hotel: its currency, its calendar, and who may touch it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from comanda import clock, money
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.records import vertical_of

CAPABILITY = "rooms"
# What guests are told, and what the list of reservations shows: arrival in the afternoon, departure before noon.
ARRIVAL_TIME, DEPARTURE_TIME = time(15), time(11)
# How far ahead rooms are sold and blocked.
MAX_DAYS_AHEAD = 730

SELECT_STORES = """
    SELECT id, title, store_type FROM core_store WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2) ORDER BY id
"""
SELECT_STORE = "SELECT id, owner_id, store_type, currency, timezone FROM core_store WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class Hotel:
    """A store that has rooms."""

    id: int
    owner_id: int
    currency: str
    zone: ZoneInfo

    def today(self) -> date:
        """The day at the hotel."""
        return clock.now().astimezone(self.zone).date()

    def arrival(self, day: date) -> datetime:
        """When guests arrive on a day, in UTC."""
        return datetime.combine(day, ARRIVAL_TIME, self.zone).astimezone(UTC)

    def departure(self, day: date) -> datetime:
        """When guests leave on a day, in UTC."""
        return datetime.combine(day, DEPARTURE_TIME, self.zone).astimezone(UTC)

    def minor(self, field: str, amount: float) -> int:
        """Turn an amount of the wire into minor units. Raises ``ValidationFailed`` on ``field``."""
        try:
            return money.to_minor(amount, self.currency)
        except ValueError as error:
            raise ValidationFailed({field: [str(error)]}) from error

    def number(self, minor: int) -> float:
        """Give an amount as answers do."""
        return money.to_number(minor, self.currency)


class NoRooms(NotFound):
    """The store is the caller's, but no hotel."""

    message = "This store has no rooms."

    def __init__(self) -> None:
        super().__init__(extras={"reason": "not_applicable"})


async def get_hotel(caller: Caller, store_id: int) -> Hotel:
    """Return the caller's hotel. Raises ``NotFound``, also for a token of another store; ``NoRooms`` if it is none."""
    if not caller.reaches(store_id):
        raise NotFound
    row = await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id)
    if row is None:
        raise NotFound
    if not _has_rooms(row["store_type"]):
        raise NoRooms
    return Hotel(row["id"], row["owner_id"], row["currency"], ZoneInfo(row["timezone"]))


async def get_only_hotel_id(caller: Caller) -> int:
    """Return the id of the caller's only store, or of the only one that has rooms. Raises ``ValidationFailed``."""
    rows = await sql.fetch(SELECT_STORES, caller.owner_id, caller.store_id)
    with_rooms = [row for row in rows if _has_rooms(row["store_type"])]
    candidates = rows if len(rows) == 1 else with_rooms
    if len(candidates) == 1:
        return int(candidates[0]["id"])
    if not with_rooms:
        raise NoRooms
    choices = [{"restaurant_id": row["id"], "title": row["title"]} for row in with_rooms]
    raise ValidationFailed(restaurant_id=["There are several hotels: name one."], extras={"choices": choices})


def _has_rooms(store_type: str) -> bool:
    vertical = vertical_of(store_type)
    return vertical is not None and CAPABILITY in vertical.capabilities
