"""Printers that fetch their jobs: one at a time, kept until they confirm it or its lease ends."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import orjson
from comanda.basics import clock
from comanda.platform.db import sql
from comanda.web import N_

from comanda_printing.models import JobKind
from comanda_printing.records import ClaimedJob, KnownPrinter, PrintOptions
from comanda_printing.services.layouts.elements import Paper, Slip
from comanda_printing.services.layouts.slips import build_slip

# A printer that has not answered for so long has lost the job or its answer was lost: the job is offered again.
LEASE: Final = timedelta(seconds=60)
COLUMNS: Final = "j.id, j.kind, j.facts, j.is_copy"
# Two polls of one printer at once wait for each other here, so that they do not both get a job.
LOCK_PRINTER: Final = "SELECT id FROM printing_printer WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
SELECT_HELD: Final = f"""
    SELECT {COLUMNS} FROM printing_job j
    WHERE j.owner_id = $1 AND j.printer_id = $2 AND j.next_attempt_at IS NOT NULL AND j.leased_until > $3
    ORDER BY j.id LIMIT 1
"""
# A job that was sent and not confirmed may be on paper: it becomes a copy.
CLAIM_NEXT: Final = f"""
    UPDATE printing_job j SET leased_until = $4::timestamptz, attempts = j.attempts + 1,
        is_copy = j.is_copy OR j.sent_at IS NOT NULL, sent_at = NULL
    WHERE j.owner_id = $1 AND j.id = (
        SELECT q.id FROM printing_job q WHERE q.owner_id = $1 AND q.printer_id = $2
            AND q.next_attempt_at IS NOT NULL AND q.print_at <= $3
            AND (q.leased_until IS NULL OR q.leased_until <= $3)
        ORDER BY q.print_at, q.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING {COLUMNS}, j.attempts
"""
GIVE_UP: Final = """
    UPDATE printing_job SET dead_at = $3, next_attempt_at = NULL, leased_until = NULL, error = $4
    WHERE id = $1 AND owner_id = $2
"""
MARK_SENT: Final = """
    UPDATE printing_job SET sent_at = $3 WHERE id = $1 AND owner_id = $2 AND next_attempt_at IS NOT NULL
"""
# The answer of a printer counts whenever it comes: what is on paper is on paper.
CONFIRM: Final = """
    UPDATE printing_job SET confirmed_at = $4, sent_at = NULL, leased_until = NULL, next_attempt_at = NULL, error = NULL
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND next_attempt_at IS NOT NULL
"""
REFUSE: Final = """
    UPDATE printing_job SET sent_at = NULL, attempts = 0, leased_until = $5, error = $4
    WHERE id = $1 AND owner_id = $2 AND printer_id = $3 AND next_attempt_at IS NOT NULL
"""
NO_REASON: Final = N_("The printer gave no reason.")
NOT_ANSWERED: Final = N_("The printer took it several times and never confirmed it.")
MAX_UNANSWERED: Final = 5
# A printer that could not print is not offered the same job in the same second.
REFUSED_PAUSE: Final = timedelta(seconds=10)


@sql.transaction()
async def claim_job(printer: KnownPrinter) -> ClaimedJob | None:
    """Claim a printer's next job; None if there is none, or while it has one that it has not answered."""
    await sql.execute(LOCK_PRINTER, printer.id, printer.owner_id)
    if await find_held_job(printer) is not None:
        return None
    moment = clock.now()
    claim = (printer.owner_id, printer.id, moment, moment + LEASE)
    while (row := await sql.fetch_one(CLAIM_NEXT, *claim)) is not None:
        if row["attempts"] <= MAX_UNANSWERED:
            return to_job(row)
        # A printer that takes jobs and never answers would print copies for a day.
        await sql.execute(GIVE_UP, row["id"], printer.owner_id, moment, NOT_ANSWERED)
    return None


async def find_held_job(printer: KnownPrinter, job_id: int | None = None) -> ClaimedJob | None:
    """Return the job that a printer has claimed, if it is the one with an id."""
    row = await sql.fetch_one(SELECT_HELD, printer.owner_id, printer.id, clock.now())
    return None if row is None or job_id not in {None, row["id"]} else to_job(row)


async def send_job(printer: KnownPrinter, job: ClaimedJob, render: Callable[[Slip, Paper], bytes]) -> bytes:
    """Return what a printer prints of a claimed job. From here on it may be on paper."""
    document = await render_job(printer, job, render)
    await mark_sent(printer, job)
    return document


async def mark_sent(printer: KnownPrinter, job: ClaimedJob) -> None:
    """Record that a printer gets a job now."""
    await sql.execute(MARK_SENT, job.id, printer.owner_id, clock.now())


async def render_job(printer: KnownPrinter, job: ClaimedJob, render: Callable[[Slip, Paper], bytes]) -> bytes:
    """Return a job in the form of a printer."""
    options = PrintOptions(
        language=printer.language,
        copies=printer.copies,
        is_copy=job.is_copy,
        opens_drawer=printer.opens_drawer,
        has_buzzer=printer.has_buzzer,
    )
    paper = Paper(printer.width_mm, printer.code_page)
    return await asyncio.to_thread(render, build_slip(job.kind, job.facts, options), paper)


async def confirm_job(printer: KnownPrinter, job_id: int) -> bool:
    """Record that a printer has printed a job. Return whether it was still waiting."""
    return await sql.execute(CONFIRM, job_id, printer.owner_id, printer.store_id, clock.now()) > 0


async def refuse_job(printer: KnownPrinter, job_id: int, error: str) -> None:
    """Record that a printer has not printed a job, and why; it is offered again."""
    until = clock.now() + REFUSED_PAUSE
    await sql.execute(REFUSE, job_id, printer.owner_id, printer.id, error[:500], until)


def to_job(row: sql.Row) -> ClaimedJob:
    """Return the job of a row with its columns."""
    return ClaimedJob(row["id"], JobKind(row["kind"]), orjson.loads(row["facts"]), row["is_copy"])
