"""The worker of the queue: prints on printers in the network, and looks after the jobs of those that are silent."""

from collections.abc import Sequence
from typing import Final

import structlog
from comanda.basics import NotFound, clock
from comanda.contracts import (
    ClaimedRow,
    DeadLetters,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RetrySchedule,
    RowResult,
)
from comanda.platform.db import sql
from comanda.web import N_

from comanda_printing import settings
from comanda_printing.client import NetworkPrinter, PrinterUnreachable, TcpPrinter
from comanda_printing.models import PrinterKind, PrinterState
from comanda_printing.records import KnownPrinter
from comanda_printing.schemas import parse_address
from comanda_printing.services import claims, known_printers
from comanda_printing.services.jobs import QUEUE_NAME, get_check_at
from comanda_printing.services.layouts.commands import ESCPOS, encode

log = structlog.get_logger(__name__)

JOBS: Final = QueueTable(
    "printing_job",
    columns=("store_id", "printer_id", "print_at"),
    share_by="printer_id",
    done="confirmed_at = {moment}, sent_at = NULL, leased_until = NULL, next_attempt_at = NULL, error = NULL",
    error="error",
    dead_at="dead_at",
    stops_for_suspended=True,
)
RETRIES: Final = RetrySchedule((5, 15, 30, 60), repeats_last=True)
# A printer that prints and never confirms would print copies for a day.
MAX_UNCONFIRMED: Final = 3
MAX_SECONDS: Final = 20.0
HELD: Final = "id = $1 AND owner_id = $2 AND leased_until = $3"
# What was sent before and never answered may be on paper.
MARK_SENT: Final = f"""
    UPDATE printing_job j SET is_copy = j.is_copy OR j.sent_at IS NOT NULL, sent_at = $4 WHERE {HELD}
    RETURNING {claims.COLUMNS}
"""
MARK_UNSENT: Final = f"UPDATE printing_job SET sent_at = NULL WHERE {HELD}"
MOVE: Final = f"""
    UPDATE printing_job SET printer_id = $4, next_attempt_at = $5, leased_until = NULL, error = $6
    WHERE {HELD} AND printer_id = routed_to_id
"""
POSTPONE: Final = f"UPDATE printing_job SET next_attempt_at = $4, leased_until = NULL WHERE {HELD}"
GIVE_UP: Final = f"""
    UPDATE printing_job SET dead_at = $4, next_attempt_at = NULL, leased_until = NULL, error = coalesce(error, $5)
    WHERE {HELD}
"""
MOVED: Final = N_("The printer that it was meant for is silent.")
NOT_ASKED: Final = N_("The printer did not ask for it.")
SELECT_STANDING: Final = """
    SELECT j.printer_id <> j.routed_to_id AS is_moved, o.is_suspended
    FROM printing_job j JOIN core_owner_v1 o ON o.id = j.owner_id WHERE j.id = $1 AND j.owner_id = $2
"""
RETRY_DEAD: Final = """
    UPDATE printing_job SET dead_at = NULL, attempts = 0, print_at = $3, next_attempt_at = $3
    WHERE id = $1 AND owner_id = $2 AND dead_at IS NOT NULL
"""
DELETE_DEAD: Final = "DELETE FROM printing_job WHERE id = $1 AND owner_id = $2 AND dead_at IS NOT NULL"


def create_work(client: NetworkPrinter) -> QueueWork:
    """Create the work of a process, which prints through ``client``."""

    async def process(rows: Sequence[ClaimedRow]) -> Sequence[object]:
        return [await _process(client, row) for row in rows]

    limits = QueueLimits(max_in_flight=20, max_per_owner=8, max_per_share=1, deadline_seconds=MAX_SECONDS)
    return QueueWork(process, limits, retries=RETRIES)


async def _process(client: NetworkPrinter, row: ClaimedRow) -> object:
    """Print a job, hand it to the fallback, leave it to its printer for another while, or give it up."""
    standing = await sql.fetch_one(SELECT_STANDING, row.id, row.owner_id)
    if standing is None:
        return RowResult.RELEASED  # deleted with its printer in this moment
    printer = await known_printers.require_printer(row.owner_id, row.values["store_id"], row.values["printer_id"])
    found, moment = settings.get_settings(), clock.now()
    waited = moment - row.values["print_at"]
    held = (row.id, row.owner_id, row.leased_until)
    if waited >= found.give_up_after:
        await sql.execute(GIVE_UP, *held, moment, NOT_ASKED)
        log.warning("print_job_given_up", job_id=row.id, printer_id=printer.id, owner_id=row.owner_id)
        return RowResult.RELEASED
    may_move = printer.fallback_id is not None and not standing["is_moved"] and not standing["is_suspended"]
    if may_move and waited >= found.fallback_after and _is_silent(printer):
        return await _move(printer, row)
    if printer.kind is PrinterKind.ESCPOS_TCP and not standing["is_suspended"]:
        return await _print(client, printer, row)
    pause = found.fallback_after if may_move or standing["is_suspended"] else found.give_up_after
    await sql.execute(POSTPONE, *held, moment + pause)
    return RowResult.RELEASED


def _is_silent(printer: KnownPrinter) -> bool:
    if printer.last_seen_at is None or not printer.state.can_print:
        return True
    return clock.now() - printer.last_seen_at >= settings.get_settings().fallback_after


async def _move(printer: KnownPrinter, row: ClaimedRow) -> object:
    fallback = await known_printers.require_printer(row.owner_id, printer.store_id, printer.fallback_id or 0)
    check_at = get_check_at(fallback, clock.now())
    await sql.execute(MOVE, row.id, row.owner_id, row.leased_until, fallback.id, check_at, MOVED)
    log.warning("print_job_moved", job_id=row.id, printer_id=printer.id, fallback_id=fallback.id)
    return RowResult.RELEASED


async def _print(client: NetworkPrinter, printer: KnownPrinter, row: ClaimedRow) -> object:
    """Print on a printer in the network. Return ``DONE`` once it has confirmed it, else why it has not."""
    held = (row.id, row.owner_id, row.leased_until)
    sent = await sql.fetch_one(MARK_SENT, *held, clock.now())
    if sent is None:
        return RowResult.RELEASED
    try:
        document = await claims.render_job(
            printer, claims.to_job(sent), lambda slip, paper: encode(slip, paper, ESCPOS)
        )
        state = await client.print(*parse_address(printer.address or ""), document)
    except PrinterUnreachable as error:
        await known_printers.save_state(printer, PrinterState.ERROR, was_seen=False)
        if not error.was_sent:
            await sql.execute(MARK_UNSENT, *held)
        elif sent["is_copy"] and row.attempt >= MAX_UNCONFIRMED:
            await sql.execute(GIVE_UP, *held, clock.now(), claims.NOT_ANSWERED)
            return RowResult.RELEASED
        return error
    await known_printers.save_state(printer, state)
    return RowResult.DONE


async def retry_job(owner_id: int, job_id: int) -> None:
    """Offer a job that was given up to its printer again. Raises ``NotFound``."""
    if not await sql.execute(RETRY_DEAD, job_id, owner_id, clock.now()):
        raise NotFound


async def discard_job(owner_id: int, job_id: int) -> None:
    """Delete a job that was given up. Raises ``NotFound``."""
    if not await sql.execute(DELETE_DEAD, job_id, owner_id):
        raise NotFound


QUEUE: Final = LeasedQueue(
    QUEUE_NAME, JOBS, create_work(TcpPrinter()), DeadLetters("q.kind", retry=retry_job, discard=discard_job)
)
