"""The caller's store as a hotel: its currency and its local calendar."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from comanda.basics import Money, NotFound, ValidationFailed, clock, money
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import find_vertical

from comanda_hotel.errors import NotAHotel

CAPABILITY = "rooms"
# Check-in and check-out times shown to guests and in the list of reservations.
CHECK_IN_TIME, CHECK_OUT_TIME = time(15), time(11)
# How far ahead rooms can be booked and blocked.
MAX_DAYS_AHEAD = 730

SELECT_STORES = """
    SELECT id, title, store_type FROM core_store_v1 WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2) ORDER BY id
"""
SELECT_STORE = "SELECT id, owner_id, store_type, currency, timezone FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class Hotel:
    """A store that has rooms."""

    id: int
    owner_id: int
    currency: str
    zone: ZoneInfo

    def today(self) -> date:
        """Return the current day at the hotel."""
        return clock.now().astimezone(self.zone).date()

    def check_in_at(self, day: date) -> datetime:
        """Return the check-in time of a day, in UTC."""
        return datetime.combine(day, CHECK_IN_TIME, self.zone).astimezone(UTC)

    def check_out_at(self, day: date) -> datetime:
        """Return the check-out time of a day, in UTC."""
        return datetime.combine(day, CHECK_OUT_TIME, self.zone).astimezone(UTC)

    def to_minor(self, field: str, amount: float) -> int:
        """Return an amount of a request in minor units. Raises ``ValidationFailed`` for ``field``."""
        try:
            return money.to_minor(amount, self.currency)
        except ValueError as error:
            raise ValidationFailed({field: [str(error)]}) from error

    def to_money(self, minor: int) -> Money:
        """Return an amount in minor units as records have it."""
        return Money(minor, self.currency)


async def get_hotel(caller: Caller, store_id: int) -> Hotel:
    """Return the caller's hotel. Raises ``NotFound``, also for a token of another store; ``NotAHotel``."""
    if not caller.reaches(store_id):
        raise NotFound
    row = await sql.require_one(SELECT_STORE, store_id, caller.owner_id)
    if not _has_rooms(row["store_type"]):
        raise NotAHotel
    return Hotel(row["id"], row["owner_id"], row["currency"], ZoneInfo(row["timezone"]))


async def get_only_hotel_id(caller: Caller) -> int:
    """Return the id of the caller's only store, or of the only one that has rooms. Raises ``ValidationFailed``."""
    rows = await sql.fetch(SELECT_STORES, caller.owner_id, caller.store_id)
    with_rooms = [row for row in rows if _has_rooms(row["store_type"])]
    candidates = rows if len(rows) == 1 else with_rooms
    if len(candidates) == 1:
        return int(candidates[0]["id"])
    if not with_rooms:
        raise NotAHotel
    choices = [{"restaurant_id": row["id"], "title": row["title"]} for row in with_rooms]
    raise ValidationFailed(restaurant_id=["You have several hotels. Choose one."], extras={"choices": choices})


def _has_rooms(store_type: str) -> bool:
    vertical = find_vertical(store_type)
    return vertical is not None and CAPABILITY in vertical.capabilities
