"""What a store allows: its settings, and whether a party may come at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from comanda.contracts import opening_hours
from comanda.contracts.callers import Caller
from comanda.contracts.opening_hours import Hours
from comanda.db import sql
from comanda.errors import NotFound
from comanda.stores.records import find_vertical
from comanda.stores.services import require_store

from comanda_reservations.planning import Plan, Span
from comanda_reservations.schemas import ReservationSettingsChange

# A party at the door is written down a little after it came.
GRACE = timedelta(minutes=5)
FURTHEST = timedelta(days=730)
LONGEST = timedelta(hours=24)

COLUMNS = "is_accepting, turn_minutes, slot_minutes, max_party_size, min_notice_minutes, capacity_seats"
DEFAULTS: dict[str, Any] = {
    "is_accepting": True,
    "turn_minutes": 90,
    "slot_minutes": 15,
    "max_party_size": 20,
    "min_notice_minutes": 0,
    "capacity_seats": None,
}
READ = f"SELECT {COLUMNS} FROM reservations_settings WHERE store_id = $1 AND owner_id = $2"
MAKE = "INSERT INTO reservations_settings (store_id, owner_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
CHANGE = f"""
    UPDATE reservations_settings SET is_accepting = $3, turn_minutes = $4, slot_minutes = $5, max_party_size = $6,
        min_notice_minutes = $7, capacity_seats = $8
    WHERE store_id = $1 AND owner_id = $2 RETURNING {COLUMNS}
"""
ZONE = "SELECT timezone FROM core_store WHERE id = $1 AND owner_id = $2"
OPENING = "SELECT timezone, hours FROM core_store WHERE id = $1 AND owner_id = $2"


class Obstacle(StrEnum):
    """Why a party cannot come."""

    NOT_ACCEPTING = "not_accepting"
    PAST = "past"
    TOO_SOON = "too_soon"
    TOO_FAR = "too_far"
    CLOSED = "closed"
    PARTY_TOO_LARGE = "party_too_large"
    FULLY_BOOKED = "fully_booked"


@dataclass(frozen=True, slots=True)
class Rules:
    """A store's settings, its time zone and its hours; without hours it is always open."""

    zone: ZoneInfo
    hours: Hours | None
    is_accepting: bool
    turn: timedelta
    slot: timedelta
    max_party_size: int
    notice: timedelta
    capacity_seats: int | None

    def span(self, starts_at: datetime) -> Span:
        """Return how long a party that comes then keeps its table."""
        return Span(starts_at, starts_at + self.turn)

    def hard_obstacle(self, starts_at: datetime, now: datetime) -> Obstacle | None:
        """Tell why a time is out of the question, whatever the owner says, or None."""
        if starts_at < now - GRACE:
            return Obstacle.PAST
        return Obstacle.TOO_FAR if starts_at > now + FURTHEST else None

    def obstacle_of_time(self, starts_at: datetime, now: datetime) -> Obstacle | None:
        """Tell why nobody can come at a time, or None."""
        if found := self.hard_obstacle(starts_at, now):
            return found
        if not self.is_accepting:
            return Obstacle.NOT_ACCEPTING
        if self.notice and starts_at < now + self.notice:
            return Obstacle.TOO_SOON
        if self.hours is not None and not self.hours.is_open(self.zone, starts_at):
            return Obstacle.CLOSED
        return None

    def obstacle(self, plan: Plan, span: Span, party_size: int, now: datetime) -> Obstacle | None:
        """Tell why a party cannot come, or None; ``plan`` holds who comes during ``span``."""
        if found := self.obstacle_of_time(span.starts_at, now):
            return found
        if party_size > self.max_party_size:
            return Obstacle.PARTY_TOO_LARGE
        return None if plan.fits(span, party_size) else Obstacle.FULLY_BOOKED


async def must_serve_tables(caller: Caller, store_id: int, *capabilities: str) -> None:
    """Refuse what a store of its type does not have. Raises ``NotFound``, also for a store of another owner's."""
    store = await require_store(caller, store_id)
    vertical = find_vertical(store["store_type"])
    if vertical is None or not {"tables", *capabilities} <= set(vertical.capabilities):
        raise NotFound("Stores of this type take no reservations of tables.")


async def read(owner_id: int, store_id: int) -> Rules:
    """Return a store's rules."""
    return await _rules(owner_id, store_id, await sql.fetch_one(READ, store_id, owner_id))


async def zone_of(owner_id: int, store_id: int) -> ZoneInfo:
    """Return the time zone of a store."""
    return ZoneInfo(await sql.fetch_value(ZONE, store_id, owner_id))


async def locked(owner_id: int, store_id: int) -> Rules:
    """Return a store's rules and hold its book until the open transaction ends: one party after another is seated."""
    row = await sql.fetch_one(f"{READ} FOR NO KEY UPDATE", store_id, owner_id)
    if row is None:
        await sql.execute(MAKE, store_id, owner_id)
        row = await sql.fetch_one(f"{READ} FOR NO KEY UPDATE", store_id, owner_id)
    return await _rules(owner_id, store_id, row)


async def settings(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell what the owner decided about reservations. Raises ``NotFound``."""
    await must_serve_tables(caller, store_id, "reservations")
    return dict(await sql.fetch_one(READ, store_id, caller.owner_id) or DEFAULTS)


async def change_settings(caller: Caller, store_id: int, change: ReservationSettingsChange) -> dict[str, Any]:
    """Change what the owner decides; reservations that were made before stay. Raises ``NotFound``."""
    await must_serve_tables(caller, store_id, "reservations")
    given = change.model_dump(exclude_unset=True)
    changed = {name: value for name, value in given.items() if value is not None or name == "capacity_seats"}
    async with sql.transaction():
        await locked(caller.owner_id, store_id)
        now = {**DEFAULTS, **dict(await sql.fetch_one(READ, store_id, caller.owner_id) or {}), **changed}
        row = await sql.fetch_one(CHANGE, store_id, caller.owner_id, *(now[name] for name in DEFAULTS))
    return dict(row or now)


async def _rules(owner_id: int, store_id: int, row: sql.Row | None) -> Rules:
    stored = dict(row or DEFAULTS)
    store = await sql.fetch_one(OPENING, store_id, owner_id)
    if store is None:
        raise NotFound
    return Rules(
        zone=ZoneInfo(store["timezone"]),
        hours=opening_hours.parse_hours(store["hours"]),
        is_accepting=stored["is_accepting"],
        turn=timedelta(minutes=stored["turn_minutes"]),
        slot=timedelta(minutes=stored["slot_minutes"]),
        max_party_size=stored["max_party_size"],
        notice=timedelta(minutes=stored["min_notice_minutes"]),
        capacity_seats=stored["capacity_seats"],
    )
