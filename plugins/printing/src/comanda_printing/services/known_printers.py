"""Printers by their rows and by the codes in the addresses that they poll."""

from datetime import datetime, timedelta
from typing import Final

from comanda.basics import NotFound, clock, parse_owner_prefix
from comanda.platform.db import sql

from comanda_printing.models import PrinterKind, PrinterState
from comanda_printing.records import KnownPrinter
from comanda_printing.services.printers import CODE_LENGTH, hash_code

PRINTER_COLUMNS: Final = """p.id, p.owner_id, p.store_id, p.name, p.kind, p.address, p.width_mm, p.code_page,
    p.language, p.copies, p.opens_drawer, p.has_buzzer, p.fallback_id, p.prints,
    p.station_ids, p.modes, p.state, p.last_seen_at"""
SELECT_BY_CODE: Final = f"""
    SELECT {PRINTER_COLUMNS} FROM printing_printer p JOIN core_owner_v1 o ON o.id = p.owner_id
    WHERE p.owner_id = $1 AND p.code_hash = $2 AND p.kind = $3 AND NOT o.is_suspended
"""
SELECT_PRINTERS: Final = f"""
    SELECT {PRINTER_COLUMNS} FROM printing_printer p
    WHERE p.owner_id = $1 AND p.store_id = $2 AND ($3::bigint IS NULL OR p.id = $3)
    ORDER BY p.id
"""
MAX_CODE_LENGTH: Final = 60
UPDATE_STATE: Final = "UPDATE printing_printer SET state = $3, last_seen_at = $4 WHERE id = $1 AND owner_id = $2"
# A printer polls every few seconds, which is no reason to write as often.
SEEN_STEP: Final = timedelta(seconds=20)


async def find_printer(code: str, kind: PrinterKind) -> KnownPrinter:
    """Return the printer with a code. Raises ``NotFound``, also while its owner is suspended."""
    owner_id = parse_owner_prefix(code, CODE_LENGTH) if len(code) <= MAX_CODE_LENGTH and code.isascii() else None
    row = None if owner_id is None else await sql.fetch_one(SELECT_BY_CODE, owner_id, hash_code(code), kind)
    if row is None:
        raise NotFound
    return to_printer(row)


async def save_state(printer: KnownPrinter, state: PrinterState, *, was_seen: bool = True) -> None:
    """Save the state of a printer, and that it was there."""
    moment = clock.now()
    if printer.state is not state or (was_seen and _is_stale(printer.last_seen_at, moment)):
        seen_at = moment if was_seen else printer.last_seen_at
        await sql.execute(UPDATE_STATE, printer.id, printer.owner_id, state, seen_at)


async def list_known_printers(owner_id: int, store_id: int) -> list[KnownPrinter]:
    """Return a store's printers."""
    return [to_printer(row) for row in await sql.fetch(SELECT_PRINTERS, owner_id, store_id, None)]


async def require_printer(owner_id: int, store_id: int, printer_id: int) -> KnownPrinter:
    """Return a store's printer. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_PRINTERS, owner_id, store_id, printer_id)
    return to_printer(row)


def _is_stale(last_seen_at: datetime | None, moment: datetime) -> bool:
    return last_seen_at is None or moment - last_seen_at >= SEEN_STEP


def to_printer(row: sql.Row) -> KnownPrinter:
    """Return the printer of a row with ``PRINTER_COLUMNS``."""
    lists = {name: tuple(row[name]) for name in ("prints", "station_ids", "modes")}
    kinds = {"kind": PrinterKind(row["kind"]), "state": PrinterState(row["state"])}
    return KnownPrinter(**{**dict(row), **lists, **kinds})
