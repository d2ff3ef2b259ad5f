"""Printers of a store: register, change, give a new code, delete."""

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, add_owner_prefix, clock, extend_record
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform import require_quota, runtime
from comanda.platform.db import sql
from comanda.stores import references, require_store
from comanda.web import N_
from tortoise.queryset import QuerySet

from comanda_printing import models, settings
from comanda_printing.client import NOT_ALLOWED
from comanda_printing.entitlements import PRINTING
from comanda_printing.models import JobKind, PrinterKind, PrinterState
from comanda_printing.records import IssuedPrinter, Printer
from comanda_printing.schemas import PrinterBody, PrinterChange, parse_address

HAS_PRINTERS: Final = "SELECT FROM printing_printer WHERE owner_id = $1 AND store_id = $2"
HAS_PRINTERS_OF_ORDER: Final = """
    SELECT FROM core_order_v1 o JOIN printing_printer p ON p.store_id = o.store_id AND p.owner_id = o.owner_id
    WHERE o.owner_id = $1 AND o.id = $2
"""
NOT_ITSELF: Final = N_("A printer cannot take over from itself.")
NO_ADDRESS: Final = N_("Only a printer in the network has an address.")
NOT_AN_ADDRESS: Final = N_("Must be an IP address, with a port from 9100 to 9107 or without one.")
MAX_PRINTERS: Final = 50
CODE_BYTES: Final = 24
CODE_LENGTH: Final = 32
# Printers poll every few seconds; one that was silent for longer is off, or has no network.
ONLINE_SECONDS: Final = 60
# The paths that printers poll, by their kind; what follows is their code.
PATHS: Final = {PrinterKind.CLOUDPRNT: "/printers/cloudprnt/", PrinterKind.EPSON: "/printers/epson/"}
LOCK_STORE: Final = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
COUNT_WAITING: Final = """
    SELECT printer_id, count(*) AS waiting FROM printing_job
    WHERE owner_id = $1 AND printer_id = ANY($2::bigint[]) AND next_attempt_at IS NOT NULL GROUP BY printer_id
"""


async def list_printers(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Printer]:
    """List a store's printers by name. Raises ``NotFound``."""
    await require_store(caller, store_id)
    owned = _query_printers(caller, store_id)
    rows = await owned.order_by("name", "id").offset(page.offset()).limit(page.size())
    return page.of(await _to_printers(caller.owner_id, rows), await page.get_total(rows, owned.count))


async def get_printer(caller: Caller, store_id: int, printer_id: int) -> Printer:
    """Return a printer. Raises ``NotFound``."""
    await require_store(caller, store_id)
    [printer] = await _to_printers(caller.owner_id, [await _get_row(caller, store_id, printer_id)])
    return printer


async def create_printer(caller: Caller, store_id: int, body: PrinterBody) -> IssuedPrinter:
    """Register a printer. The address that it polls is returned only this once.

    Raises ``NotFound``; ``ValidationFailed`` for an address, a station, a mode or a fallback that cannot be;
    ``Conflict`` beyond ``MAX_PRINTERS``.
    """
    await require_store(caller, store_id)
    _check_address(body.kind, body.address)
    await _check(caller, store_id, body)
    code = _generate_code(caller.owner_id, body.kind)
    async with sql.transaction():
        await require_quota(caller.owner_id, PRINTING.code)
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        if await _query_printers(caller, store_id).count() >= MAX_PRINTERS:
            limits = {"printers": MAX_PRINTERS}
            raise Conflict(
                Sentence("A store has at most %(limit)s printers.", limit=MAX_PRINTERS), extras={"limits": limits}
            )
        row = await models.Printer.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            code_hash=code and hash_code(code),
            state=PrinterState.UNKNOWN,
            created_at=clock.now(),
            **body.model_dump(),
        )
    return await _to_issued(row, code)


async def update_printer(caller: Caller, store_id: int, printer_id: int, change: PrinterChange) -> Printer:
    """Update a printer. Raises ``NotFound``, ``ValidationFailed`` like ``create_printer``."""
    await require_store(caller, store_id)
    row = await _get_row(caller, store_id, printer_id)
    columns = {
        name: value
        for name, value in change.model_dump(exclude_unset=True).items()
        if value is not None or name == "fallback_id"
    }
    if change.fallback_id == printer_id:
        raise ValidationFailed(fallback_id=[NOT_ITSELF])
    if change.address is not None:
        _check_address(PrinterKind(row.kind), change.address)
    await _check(caller, store_id, change)
    if columns:
        row.update_from_dict(columns)
        async with sql.transaction():
            await row.save(update_fields=list(columns))
    [printer] = await _to_printers(caller.owner_id, [row])
    return printer


async def replace_code(caller: Caller, store_id: int, printer_id: int) -> IssuedPrinter:
    """Give a printer a new code; the old one ends at once. Raises ``NotFound``, ``Conflict`` if it does not poll."""
    await require_store(caller, store_id)
    row = await _get_row(caller, store_id, printer_id)
    code = _generate_code(caller.owner_id, PrinterKind(row.kind))
    if code is None:
        raise Conflict(Sentence("This printer has no code: it does not poll."), extras={"reason": "no_code"})
    row.code_hash = hash_code(code)
    async with sql.transaction():
        await row.save(update_fields=["code_hash"])
    return await _to_issued(row, code)


async def delete_printer(caller: Caller, store_id: int, printer_id: int) -> None:
    """Delete a printer with its jobs; what waits for it is not printed. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        if not await _query_printers(caller, store_id).filter(id=printer_id).delete():
            raise NotFound


def hash_code(code: str) -> bytes:
    """Return the hash of a code, by which its printer is found."""
    return hashlib.sha256(code.encode()).digest()


def _generate_code(owner_id: int, kind: PrinterKind) -> str | None:
    return add_owner_prefix(owner_id, secrets.token_urlsafe(CODE_BYTES)) if kind in PATHS else None


async def _check(caller: Caller, store_id: int, change: PrinterBody | PrinterChange) -> None:
    """Check what a printer refers to. Raises ``ValidationFailed``."""
    stations = change.station_ids or ()
    await references.check_references("station", "station_ids", caller.owner_id, store_id, stations)
    if unknown := set(change.modes or ()) - set(runtime.registry().fulfillment_modes):
        raise ValidationFailed(modes=[f"There is no fulfillment mode {min(unknown)}."])
    fallback_id = change.fallback_id
    if fallback_id is not None and not await _query_printers(caller, store_id).filter(id=fallback_id).exists():
        raise ValidationFailed(fallback_id=[f"This store has no printer {fallback_id}."])


def _check_address(kind: PrinterKind, address: str | None) -> None:
    if kind is not PrinterKind.ESCPOS_TCP:
        if address:
            raise ValidationFailed(address=[NO_ADDRESS])
        return
    try:
        host, _port = parse_address(address or "")
    except ValueError as error:
        raise ValidationFailed(address=[NOT_AN_ADDRESS]) from error
    if not settings.allows_address(host):
        raise ValidationFailed(address=[NOT_ALLOWED])


def _query_printers(caller: Caller, store_id: int) -> QuerySet[models.Printer]:
    return models.Printer.filter(owner_id=caller.owner_id, store_id=store_id)


async def _get_row(caller: Caller, store_id: int, printer_id: int) -> models.Printer:
    row = await _query_printers(caller, store_id).get_or_none(id=printer_id)
    if row is None:
        raise NotFound
    return row


async def _to_issued(row: models.Printer, code: str | None) -> IssuedPrinter:
    [printer] = await _to_printers(row.owner_id, [row])
    url = code and f"{runtime.settings().site_url}{PATHS[PrinterKind(row.kind)]}{code}"
    return extend_record(IssuedPrinter, printer, url=url)


async def _to_printers(owner_id: int, rows: list[models.Printer]) -> list[Printer]:
    found = await sql.fetch(COUNT_WAITING, owner_id, [row.id for row in rows])
    waiting = {row["printer_id"]: row["waiting"] for row in found}
    since = clock.now() - timedelta(seconds=ONLINE_SECONDS)
    return [
        extend_record(
            Printer,
            row,
            kind=PrinterKind(row.kind),
            prints=[JobKind(kind) for kind in row.prints],
            state=PrinterState(row.state),
            is_online=row.last_seen_at is not None and row.last_seen_at >= since,
            waiting=waiting.get(row.id, 0),
        )
        for row in rows
    ]
