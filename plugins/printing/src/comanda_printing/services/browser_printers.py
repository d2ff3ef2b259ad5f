"""Jobs in a browser: a page that is a printer claims, prints and confirms them, and people look at them."""

from typing import Final

from comanda.basics import Conflict, Sentence
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_printing.models import PrinterKind, PrinterState
from comanda_printing.records import Job, JobState, NextJob
from comanda_printing.services import claims, jobs, known_printers
from comanda_printing.services.layouts.raster import draw_slip

SELECT_JOB: Final = f"""
    SELECT {claims.COLUMNS}, j.printer_id FROM printing_job j WHERE j.owner_id = $1 AND j.store_id = $2 AND j.id = $3
"""


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


async def draw_job(caller: Caller, store_id: int, job_id: int) -> bytes:
    """Return a job as a PNG. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_JOB, caller.owner_id, store_id, job_id)
    printer = await known_printers.require_printer(caller.owner_id, store_id, row["printer_id"])
    return await claims.render_job(printer, claims.to_job(row), draw_slip)
