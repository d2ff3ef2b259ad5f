"""A store's reservation rules: its settings, and whether it accepts a party at a time."""

from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from comanda.basics import Money, NotFound, Sentence, ValidationFailed, money
from comanda.contracts import Caller, Hours, opening_hours
from comanda.platform.db import sql
from comanda.stores import find_vertical, require_store

from comanda_reservations.records import TableSettings
from comanda_reservations.schemas import ReservationSettingsChange
from comanda_reservations.services.table_plan import TablePlan, TimeSpan

# Staff may enter walk-in guests a little after they have arrived.
LATE_ENTRY_GRACE = timedelta(minutes=5)
MAX_ADVANCE = timedelta(days=730)
MAX_DURATION = timedelta(hours=24)
# What may be set to nothing.
REMOVABLE = frozenset({"capacity_seats", "deposit_per_guest"})

SETTINGS_COLUMNS = """is_accepting, turn_minutes, slot_minutes, max_party_size, min_notice_minutes, capacity_seats,
    deposit_minor, deposit_party_size, deposit_free_hours, deposit_hold_minutes, has_waitlist, has_public_waitlist"""
DEFAULT_SETTINGS = TableSettings(
    is_accepting=True,
    turn_minutes=90,
    slot_minutes=15,
    max_party_size=20,
    min_notice_minutes=0,
    capacity_seats=None,
    deposit_per_guest=None,
    deposit_party_size=1,
    deposit_free_hours=24,
    deposit_hold_minutes=30,
    has_waitlist=False,
    has_public_waitlist=False,
)
SELECT_SETTINGS = f"SELECT {SETTINGS_COLUMNS} FROM reservations_settings WHERE store_id = $1 AND owner_id = $2"
INSERT_DEFAULT_SETTINGS = (
    "INSERT INTO reservations_settings (store_id, owner_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
)
UPDATE_SETTINGS = f"""
    UPDATE reservations_settings SET is_accepting = $3, turn_minutes = $4, slot_minutes = $5, max_party_size = $6,
        min_notice_minutes = $7, capacity_seats = $8, deposit_minor = $9, deposit_party_size = $10,
        deposit_free_hours = $11, deposit_hold_minutes = $12, has_waitlist = $13, has_public_waitlist = $14
    WHERE store_id = $1 AND owner_id = $2 RETURNING {SETTINGS_COLUMNS}
"""
SELECT_STORE_TIMEZONE = "SELECT timezone FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
SELECT_STORE_HOURS = "SELECT timezone, hours, currency FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


class RefusalReason(StrEnum):
    """Why a reservation is refused."""

    NOT_ACCEPTING = "not_accepting"
    PAST = "past"
    TOO_SOON = "too_soon"
    TOO_FAR = "too_far"
    CLOSED = "closed"
    PARTY_TOO_LARGE = "party_too_large"
    FULLY_BOOKED = "fully_booked"
    NO_ONLINE_PAYMENT = "no_online_payment"


@dataclass(frozen=True, slots=True)
class ReservationRules:
    """A store's reservation settings, time zone and opening hours; without hours it is always open."""

    zone: ZoneInfo
    hours: Hours | None
    is_accepting: bool
    turn: timedelta
    slot: timedelta
    max_party_size: int
    notice: timedelta
    capacity_seats: int | None
    currency: str
    deposit_per_guest: Money | None
    deposit_party_size: int
    deposit_free: timedelta
    deposit_hold: timedelta
    has_waitlist: bool
    has_public_waitlist: bool

    def get_deposit_minor(self, party_size: int) -> int:
        """Return what a party pays in advance, 0 for nothing."""
        if self.deposit_per_guest is None or party_size < self.deposit_party_size:
            return 0
        return self.deposit_per_guest.minor * party_size

    def get_time_span(self, starts_at: datetime) -> TimeSpan:
        """Return the time span of a reservation with the default duration."""
        return TimeSpan(starts_at, starts_at + self.turn)

    def get_hard_refusal(self, starts_at: datetime, now: datetime) -> RefusalReason | None:
        """Return why a time is refused even with an override, or None."""
        if starts_at < now - LATE_ENTRY_GRACE:
            return RefusalReason.PAST
        return RefusalReason.TOO_FAR if starts_at > now + MAX_ADVANCE else None

    def get_time_refusal(self, starts_at: datetime, now: datetime) -> RefusalReason | None:
        """Return why a time is refused, or None."""
        if found := self.get_hard_refusal(starts_at, now):
            return found
        if not self.is_accepting:
            return RefusalReason.NOT_ACCEPTING
        if self.notice and starts_at < now + self.notice:
            return RefusalReason.TOO_SOON
        if self.hours is not None and not self.hours.is_open(self.zone, starts_at):
            return RefusalReason.CLOSED
        return None

    def get_refusal(self, plan: TablePlan, span: TimeSpan, party_size: int, now: datetime) -> RefusalReason | None:
        """Return why a party is refused, or None. ``plan`` holds the bookings during ``span``."""
        if found := self.get_time_refusal(span.starts_at, now):
            return found
        if party_size > self.max_party_size:
            return RefusalReason.PARTY_TOO_LARGE
        return None if plan.has_room(span, party_size) else RefusalReason.FULLY_BOOKED


async def require_table_service(caller: Caller, store_id: int, *capabilities: str) -> None:
    """Check that the store's type has tables and the given capabilities. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    vertical = find_vertical(store["store_type"])
    if vertical is None or not {"tables", *capabilities} <= set(vertical.capabilities):
        raise NotFound(Sentence("Stores of this type do not take table reservations."))


async def get_reservation_rules(owner_id: int, store_id: int) -> ReservationRules:
    """Return a store's reservation rules."""
    return await _to_reservation_rules(owner_id, store_id, await sql.fetch_one(SELECT_SETTINGS, store_id, owner_id))


async def get_store_timezone(owner_id: int, store_id: int) -> ZoneInfo:
    """Return the store's time zone."""
    return ZoneInfo(await sql.fetch_value(SELECT_STORE_TIMEZONE, store_id, owner_id))


async def lock_reservation_rules(owner_id: int, store_id: int) -> ReservationRules:
    """Return a store's reservation rules, locked until the open transaction ends.

    The lock serializes the assignment of the store's tables.
    """
    row = await sql.fetch_one(f"{SELECT_SETTINGS} FOR NO KEY UPDATE", store_id, owner_id)
    if row is None:
        await sql.execute(INSERT_DEFAULT_SETTINGS, store_id, owner_id)
        row = await sql.fetch_one(f"{SELECT_SETTINGS} FOR NO KEY UPDATE", store_id, owner_id)
    return await _to_reservation_rules(owner_id, store_id, row)


async def get_settings(caller: Caller, store_id: int) -> TableSettings:
    """Return a store's reservation settings. Raises ``NotFound``."""
    await require_table_service(caller, store_id, "reservations")
    store = await require_store(caller, store_id)
    return _to_settings(await sql.fetch_one(SELECT_SETTINGS, store_id, caller.owner_id), store["currency"])


async def update_settings(caller: Caller, store_id: int, change: ReservationSettingsChange) -> TableSettings:
    """Update a store's reservation settings. Existing reservations stay as they are. Raises ``NotFound``."""
    await require_table_service(caller, store_id, "reservations")
    given = change.model_dump(exclude_unset=True)
    changed = {name: value for name, value in given.items() if value is not None or name in REMOVABLE}
    currency = (await require_store(caller, store_id))["currency"]
    if "deposit_per_guest" in changed:
        changed["deposit_per_guest"] = _parse_deposit(change.deposit_per_guest, currency)
    async with sql.transaction():
        await lock_reservation_rules(caller.owner_id, store_id)
        before = _to_settings(await sql.fetch_one(SELECT_SETTINGS, store_id, caller.owner_id), currency)
        settings = replace(before, **changed)
        row = await sql.one(UPDATE_SETTINGS, store_id, caller.owner_id, *_list_columns(settings))
    return _to_settings(row, currency)


def _to_settings(row: sql.Row | None, currency: str) -> TableSettings:
    if row is None:
        return DEFAULT_SETTINGS
    columns = dict(row)
    deposit_minor = columns.pop("deposit_minor")
    deposit = None if deposit_minor is None else Money(deposit_minor, currency)
    return TableSettings(**columns, deposit_per_guest=deposit)


def _list_columns(settings: TableSettings) -> list[object]:
    """List the values of ``UPDATE_SETTINGS``: those of the fields, in their order."""
    values = [getattr(settings, field.name) for field in fields(settings)]
    return [value.minor if isinstance(value, Money) else value for value in values]


def _parse_deposit(amount: float | None, currency: str) -> Money | None:
    """Return an amount per guest, None for nothing. Raises ``ValidationFailed``."""
    try:
        minor = money.to_minor(amount or 0, currency)
    except ValueError as error:
        raise ValidationFailed(deposit_per_guest=[str(error)]) from error
    return Money(minor, currency) if minor else None


async def _to_reservation_rules(owner_id: int, store_id: int, row: sql.Row | None) -> ReservationRules:
    store = await sql.require_one(SELECT_STORE_HOURS, store_id, owner_id)
    settings = _to_settings(row, store["currency"])
    return ReservationRules(
        zone=ZoneInfo(store["timezone"]),
        hours=opening_hours.parse_hours(store["hours"]),
        is_accepting=settings.is_accepting,
        turn=timedelta(minutes=settings.turn_minutes),
        slot=timedelta(minutes=settings.slot_minutes),
        max_party_size=settings.max_party_size,
        notice=timedelta(minutes=settings.min_notice_minutes),
        capacity_seats=settings.capacity_seats,
        currency=store["currency"],
        deposit_per_guest=settings.deposit_per_guest,
        deposit_party_size=settings.deposit_party_size,
        deposit_free=timedelta(hours=settings.deposit_free_hours),
        deposit_hold=timedelta(minutes=settings.deposit_hold_minutes),
        has_waitlist=settings.has_waitlist,
        has_public_waitlist=settings.has_waitlist and settings.has_public_waitlist,
    )
