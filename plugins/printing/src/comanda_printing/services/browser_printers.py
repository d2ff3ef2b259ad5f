"""Printers that are a page in a browser: it claims a job, prints it, and confirms it."""

from comanda.basics import Conflict, Sentence
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_printing.models import PrinterKind, PrinterState
from comanda_printing.records import Job, JobState, NextJob
from comanda_printing.services import claims, jobs, known_printers


async def claim_job(caller: Caller, store_id: int, printer_id: int) -> NextJob:
    """Claim the next job of a browser's printer. Raises ``NotFound``, ``Conflict`` for a printer of another kind."""
    await require_store(caller, store_id)
    printer = await known_printers.require_printer(caller.owner_id, store_id, printer_id)
    if printer.kind is not PrinterKind.BROWSER:
        raise Conflict(Sentence("This printer is no page in a browser."), extras={"reason": "not_a_browser"})
    await known_printers.save_state(printer, PrinterState.READY)
    job = await claims.claim_job(printer)
    if job is None:
        return NextJob(None)
    await claims.mark_sent(printer, job)
    return NextJob(await jobs.get_job(caller, store_id, job.id))


async def confirm_job(caller: Caller, store_id: int, job_id: int) -> Job:
    """Confirm that a browser has printed a job; one that is confirmed already stays as it is.

    Raises ``NotFound``, ``Conflict`` for a job of a printer of another kind or one that was given up.
    """
    job = await jobs.get_job(caller, store_id, job_id)
    printer = await known_printers.require_printer(caller.owner_id, store_id, job.printer_id)
    if printer.kind is not PrinterKind.BROWSER or job.state is JobState.FAILED:
        raise Conflict(Sentence("This job is not one that a browser prints."), extras={"reason": "not_a_browser"})
    async with sql.transaction():
        await claims.confirm_job(printer, job_id)
    return await jobs.get_job(caller, store_id, job_id)
