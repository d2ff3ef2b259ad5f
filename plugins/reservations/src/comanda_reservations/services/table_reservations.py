"""Table reservations: create and update."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from comanda.basics import Conflict, clock
from comanda.contracts import NO_IDEMPOTENCY_KEY, Caller, IdempotencyKey, IdempotentResult
from comanda.platform.db import KeyedTable, sql
from comanda.stores import require_store

from comanda_reservations.events import ReservationCreated, publish_reservation_event
from comanda_reservations.records import Reservation
from comanda_reservations.schemas import ReservationBody, ReservationChange
from comanda_reservations.services import reservation_rules, table_assignments, table_selection
from comanda_reservations.services.reservation_rows import RESERVATION_COLUMNS, load_reservation
from comanda_reservations.services.reservation_rules import ReservationRules
from comanda_reservations.services.reservations import OPEN_STATUSES, lock_table_reservation
from comanda_reservations.services.table_plan import PlanTable, TablePlan, TimeSpan

INSERT_RESERVATION = f"""
    INSERT INTO reservations_reservation (owner_id, store_id, kind, status, guest_name, phone, email, party_size,
        starts_at, ends_at, table_numbers, note, source, idempotency_key, body_hash, created_at, updated_at)
    VALUES ($1, $2, 'table', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
    RETURNING {RESERVATION_COLUMNS}
"""
UPDATE_RESERVATION = f"""
    UPDATE reservations_reservation SET guest_name = $3, phone = $4, email = $5, note = $6, party_size = $7,
        starts_at = $8, ends_at = $9, table_numbers = $10, updated_at = $11
    WHERE id = $1 AND owner_id = $2 RETURNING {RESERVATION_COLUMNS}
"""
SELECT_RESERVATION = f"SELECT {RESERVATION_COLUMNS} FROM reservations_reservation WHERE id = $1 AND owner_id = $2"
AskDeposit = Callable[[ReservationRules, sql.Row], Awaitable[sql.Row]]
RESERVATION_KEYS = KeyedTable("reservations_reservation", "store_id")


@dataclass(frozen=True, slots=True)
class Seating:
    """The time and the tables of a reservation."""

    span: TimeSpan
    table_numbers: Sequence[str]


async def create_reservation(
    caller: Caller,
    store_id: int,
    body: ReservationBody,
    key: IdempotencyKey = NO_IDEMPOTENCY_KEY,
    source: str = "api",
    ask_deposit: AskDeposit | None = None,
) -> IdempotentResult[Reservation]:
    """Create a table reservation, or return the one created earlier with the same key, whatever its body.

    ``ask_deposit`` gets the new row in the open transaction, and is to create its deposit if the rules ask for one.
    Raises ``NotFound``; ``ValidationFailed`` and ``Conflict`` with a ``reason`` if the party cannot be seated then.
    Emits ``ReservationCreated``.
    """
    await reservation_rules.require_table_service(caller, store_id, "reservations")

    async def create() -> int:
        async with sql.transaction():
            rules = await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
            table_selection.check_time(rules, body.starts_at, override=body.override)
            span = TimeSpan(body.starts_at, body.ends_at) if body.ends_at else rules.get_time_span(body.starts_at)
            tables = await _select_tables(caller, store_id, rules, span, body)
            row = await _insert_reservation(caller, store_id, body, span, tables, key, body.source or source)
            await table_assignments.assign_tables(caller.owner_id, row["id"], [table.id for table in tables], span)
            if ask_deposit is not None:
                row = await ask_deposit(rules, row)
            await publish_reservation_event(ReservationCreated, row)
        return int(row["id"])

    async def load(reservation_id: int) -> Reservation:
        return await load_reservation(await sql.one(SELECT_RESERVATION, reservation_id, caller.owner_id))

    return await RESERVATION_KEYS.create_once(caller.owner_id, store_id, key, create, load)


async def update_reservation(
    caller: Caller, store_id: int, reservation_id: int, change: ReservationChange
) -> Reservation:
    """Update the guest, time, party or tables of a table reservation.

    Raises ``NotFound``; ``Conflict`` for a stay, or for a new time once the reservation has begun or ended;
    ``ValidationFailed`` and ``Conflict`` with a ``reason`` if the party cannot be seated then. Emits nothing.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        rules = await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
        before = await lock_table_reservation(caller, store_id, reservation_id)
        seating = Seating(TimeSpan(before["starts_at"], before["ends_at"]), before["table_numbers"])
        if _changes_seating(before, change):
            seating = await _reschedule(caller, rules, before, change)
        row = await _update_row(caller, before, change, seating)
    return await load_reservation(row)


def _changes_seating(before: sql.Row, change: ReservationChange) -> bool:
    if change.table_numbers is not None:
        return True
    given = {"party_size": change.party_size, "starts_at": change.starts_at, "ends_at": change.ends_at}
    return any(value is not None and value != before[name] for name, value in given.items())


async def _select_tables(
    caller: Caller, store_id: int, rules: ReservationRules, span: TimeSpan, body: ReservationBody
) -> list[PlanTable]:
    table_selection.check_duration(span)
    plan = await table_assignments.load_table_plan(caller.owner_id, store_id, rules, span)
    table_selection.check_party_size(rules, plan, span, body.party_size, override=body.override)
    if body.table_numbers:
        return table_selection.select_named_tables(
            plan, body.table_numbers, span, body.party_size, override=body.override
        )
    return table_selection.select_free_tables(plan, span, body.party_size)


async def _insert_reservation(
    caller: Caller,
    store_id: int,
    body: ReservationBody,
    span: TimeSpan,
    tables: list[PlanTable],
    key: IdempotencyKey,
    source: str,
) -> sql.Row:
    return await sql.one(
        INSERT_RESERVATION,
        caller.owner_id,
        store_id,
        body.status,
        body.guest_name,
        body.phone or None,
        body.email or None,
        body.party_size,
        span.starts_at,
        span.ends_at,
        [table.number for table in tables],
        body.note or None,
        source,
        key.text,
        key.body_hash,
        clock.now(),
    )


async def _reschedule(caller: Caller, rules: ReservationRules, before: sql.Row, change: ReservationChange) -> Seating:
    """Assign tables for the new time and party."""
    if before["status"] not in OPEN_STATUSES:
        raise Conflict(f"The time and tables of a reservation that is {before['status']} cannot be changed.")
    span = _get_new_span(before, change)
    if span.starts_at != before["starts_at"]:
        if before["status"] == "seated":
            raise Conflict("These guests are already seated. Only ends_at can be changed.")
        table_selection.check_time(rules, span.starts_at, override=change.override)
    table_selection.check_duration(span)
    # A table that was deactivated since stays with the reservation that has it.
    plan = await table_assignments.load_table_plan(
        caller.owner_id, before["store_id"], rules, span, also=before["table_numbers"]
    )
    plan = plan.exclude(before["id"])
    party_size = _get_party_size(before, change)
    if party_size > before["party_size"] or span != TimeSpan(before["starts_at"], before["ends_at"]):
        table_selection.check_party_size(rules, plan, span, party_size, override=change.override)
    tables = _keep_or_select_tables(plan, before, change, span)
    await table_assignments.assign_tables(caller.owner_id, before["id"], [table.id for table in tables], span)
    return Seating(span, [table.number for table in tables])


def _get_party_size(before: sql.Row, change: ReservationChange) -> int:
    size: int = before["party_size"] if change.party_size is None else change.party_size
    return size


def _get_new_span(before: sql.Row, change: ReservationChange) -> TimeSpan:
    starts_at = before["starts_at"] if change.starts_at is None else change.starts_at
    if change.ends_at is not None:
        return TimeSpan(starts_at, change.ends_at)
    try:
        return TimeSpan(starts_at, starts_at + (before["ends_at"] - before["starts_at"]))
    except OverflowError:
        return TimeSpan(starts_at, starts_at)


def _keep_or_select_tables(
    plan: TablePlan, before: sql.Row, change: ReservationChange, span: TimeSpan
) -> list[PlanTable]:
    party_size, override = _get_party_size(before, change), change.override
    if change.table_numbers:
        return table_selection.select_named_tables(plan, change.table_numbers, span, party_size, override=override)
    if change.table_numbers is None:
        kept = [table for table in plan.get_free_tables(span) if table.number in before["table_numbers"]]
        is_whole = len(kept) == len(before["table_numbers"]) > 0
        if is_whole and (sum(table.seats for table in kept) >= party_size or override):
            return kept
    return table_selection.select_free_tables(plan, span, party_size)


async def _update_row(caller: Caller, before: sql.Row, change: ReservationChange, seating: Seating) -> sql.Row:
    return await sql.one(
        UPDATE_RESERVATION,
        before["id"],
        caller.owner_id,
        before["guest_name"] if change.guest_name is None else change.guest_name,
        # An empty string clears an optional field.
        (before["phone"] if change.phone is None else change.phone) or None,
        (before["email"] if change.email is None else change.email) or None,
        (before["note"] if change.note is None else change.note) or None,
        _get_party_size(before, change),
        seating.span.starts_at,
        seating.span.ends_at,
        seating.table_numbers,
        clock.now(),
    )
