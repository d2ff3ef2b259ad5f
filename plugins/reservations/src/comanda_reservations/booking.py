"""Reserving tables, and moving what is reserved."""

from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import NO_IDEMPOTENCY_KEY, IdempotencyKey, IdempotentResult
from comanda.db import sql
from comanda.errors import Conflict
from comanda.stores.services import require_store

from comanda_reservations import book, repeats, rules, seating
from comanda_reservations.events import ReservationCreated, announce
from comanda_reservations.planning import Plan, Seats, Span
from comanda_reservations.records import COLUMNS, reservation_record
from comanda_reservations.rules import Rules
from comanda_reservations.schemas import ReservationBody, ReservationChange
from comanda_reservations.services import OPEN, locked_table_reservation

INSERT = f"""
    INSERT INTO reservations_reservation (owner_id, store_id, kind, status, guest_name, phone, email, party_size,
        starts_at, ends_at, table_numbers, note, source, idempotency_key, body_hash, created_at, updated_at)
    VALUES ($1, $2, 'table', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
    RETURNING {COLUMNS}
"""
UPDATE = f"""
    UPDATE reservations_reservation SET guest_name = $3, phone = $4, email = $5, note = $6, party_size = $7,
        starts_at = $8, ends_at = $9, table_numbers = $10, updated_at = $11
    WHERE id = $1 AND owner_id = $2 RETURNING {COLUMNS}
"""
PLANNED = ("party_size", "starts_at", "ends_at", "table_numbers")
OPTIONAL = ("phone", "email", "note")


async def reserve(
    caller: Caller, store_id: int, body: ReservationBody, key: IdempotencyKey = NO_IDEMPOTENCY_KEY, source: str = "api"
) -> IdempotentResult:
    """Reserve a table; a repeat of ``key`` gets the first reservation, whatever its body.

    Raises ``NotFound``; ``ValidationFailed`` and ``Conflict`` with a ``reason`` when the party cannot come then.
    Emits ``ReservationCreated``.
    """
    await rules.must_serve_tables(caller, store_id, "reservations")
    async with sql.transaction():
        allowed = await rules.locked(caller.owner_id, store_id)
        if earlier := await repeats.find(caller.owner_id, store_id, key):
            return earlier
        seating.check_time(allowed, body.starts_at, override=body.override)
        span = Span(body.starts_at, body.ends_at) if body.ends_at else allowed.span(body.starts_at)
        tables = await _tables(caller, store_id, allowed, span, body)
        row = await _insert(caller, store_id, body, span, tables, key, body.source or source)
        await book.give(caller.owner_id, row["id"], [table.id for table in tables], span)
        await announce(ReservationCreated, row)
    return IdempotentResult(reservation_record(row))


async def change(caller: Caller, store_id: int, reservation_id: int, change: ReservationChange) -> dict[str, Any]:
    """Change a table's reservation: its guests, its time, its tables.

    Raises ``NotFound``; ``Conflict`` for a stay, or when the time of one that is over or begun is changed;
    ``ValidationFailed`` and ``Conflict`` with a ``reason`` when the party cannot come then. Emits nothing.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        allowed = await rules.locked(caller.owner_id, store_id)
        before = await locked_table_reservation(caller, store_id, reservation_id)
        given = change.model_dump(exclude_unset=True, exclude={"override"})
        columns = {name: value for name, value in given.items() if value is not None}
        after = {**dict(before), **columns}
        if any(name in columns and (name == "table_numbers" or columns[name] != before[name]) for name in PLANNED):
            after |= await _moved(caller, allowed, before, columns, override=change.override)
        row = await _update(caller, after)
    return reservation_record(row)


async def _tables(caller: Caller, store_id: int, allowed: Rules, span: Span, body: ReservationBody) -> list[Seats]:
    seating.check_length(span)
    plan = await book.plan(caller.owner_id, store_id, allowed, span)
    seating.check_party(allowed, plan, span, body.party_size, override=body.override)
    if body.table_numbers:
        return seating.named(plan, body.table_numbers, span, body.party_size, override=body.override)
    return seating.chosen(plan, span, body.party_size)


async def _insert(
    caller: Caller,
    store_id: int,
    body: ReservationBody,
    span: Span,
    tables: list[Seats],
    key: IdempotencyKey,
    source: str,
) -> sql.Row:
    row = await sql.fetch_one(
        INSERT,
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
    assert row is not None  # noqa: S101 - an insert without a conflict clause returns its row or raises
    return row


async def _moved(
    caller: Caller, allowed: Rules, before: sql.Row, columns: dict[str, Any], *, override: bool
) -> dict[str, Any]:
    """Give a reservation the time, party and tables that are wanted, and return what its row then says of them."""
    if before["status"] not in OPEN:
        raise Conflict(f"A reservation that is {before['status']} keeps its time and tables.")
    span = _span(before, columns)
    if span.starts_at != before["starts_at"]:
        if before["status"] == "seated":
            raise Conflict("These guests are seated already: change ends_at only.")
        seating.check_time(allowed, span.starts_at, override=override)
    seating.check_length(span)
    # A table that was put out of use since stays with the guests who have it.
    plan = await book.plan(caller.owner_id, before["store_id"], allowed, span, also=before["table_numbers"])
    plan = plan.without(before["id"])
    party_size = columns.get("party_size", before["party_size"])
    if party_size > before["party_size"] or span != Span(before["starts_at"], before["ends_at"]):
        seating.check_party(allowed, plan, span, party_size, override=override)
    tables = _kept_or_found(plan, before, columns, span, party_size, override=override)
    await book.give(caller.owner_id, before["id"], [table.id for table in tables], span)
    numbers = [table.number for table in tables]
    return {"starts_at": span.starts_at, "ends_at": span.ends_at, "table_numbers": numbers}


def _span(before: sql.Row, columns: dict[str, Any]) -> Span:
    starts_at = columns.get("starts_at", before["starts_at"])
    if "ends_at" in columns:
        return Span(starts_at, columns["ends_at"])
    try:
        return Span(starts_at, starts_at + (before["ends_at"] - before["starts_at"]))
    except OverflowError:
        return Span(starts_at, starts_at)


def _kept_or_found(
    plan: Plan, before: sql.Row, columns: dict[str, Any], span: Span, party_size: int, *, override: bool
) -> list[Seats]:
    if wanted := columns.get("table_numbers"):
        return seating.named(plan, wanted, span, party_size, override=override)
    if "table_numbers" not in columns:
        kept = [table for table in plan.free_tables(span) if table.number in before["table_numbers"]]
        is_whole = len(kept) == len(before["table_numbers"]) > 0
        if is_whole and (sum(table.seats for table in kept) >= party_size or override):
            return kept
    return seating.chosen(plan, span, party_size)


async def _update(caller: Caller, after: dict[str, Any]) -> sql.Row:
    row = await sql.fetch_one(
        UPDATE,
        after["id"],
        caller.owner_id,
        after["guest_name"],
        *(after[name] or None for name in OPTIONAL),
        after["party_size"],
        after["starts_at"],
        after["ends_at"],
        after["table_numbers"],
        clock.now(),
    )
    assert row is not None  # noqa: S101 - the row is locked
    return row
