"""Jobs of a store's printers, for owners; and for browsers that print them."""

from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Routes

from comanda_printing.entitlements import PRINTING
from comanda_printing.records import Job, NextJob
from comanda_printing.routes.printers import PRINTER
from comanda_printing.schemas import JobQuery, PrintBody
from comanda_printing.services import browser_printers, jobs

routes = Routes("Printing", feature=PRINTING.code)

JOBS = "/restaurants/{id}/print-jobs"
JOB = f"{JOBS}/{{jobId}}"
READ = "orders:read"
WRITE = "orders:write"


@routes.get(JOBS, scope=READ)
async def list_jobs(caller: Caller, id: int, query: JobQuery, page: PageRequest) -> RecordPage[Job]:
    """List what a store prints, newest first; filter by ``printer_id``, ``order_id`` and ``state``."""
    return await jobs.list_jobs(caller, id, query, page)


@routes.get(f"{JOB}/preview", scope=READ, answers=bytes, content_types=("image/png",))
async def preview_job(caller: Caller, id: int, job_id: int) -> Answer:
    """Return a picture of a job as its printer prints it."""
    return Answer(await browser_printers.draw_job(caller, id, job_id), content_type="image/png")


@routes.post(f"{JOB}/reprint", scope=WRITE, status=201)
async def print_again(caller: Caller, id: int, job_id: int) -> Job:
    """Print a job again, marked as a copy."""
    return await jobs.print_again(caller, id, job_id)


@routes.post("/restaurants/{id}/orders/{orderId}/printers/{printerId}", scope=WRITE, status=201)
async def print_order(caller: Caller, id: int, order_id: int, printer_id: int, body: PrintBody) -> Job:
    """Print an order's receipt, or all of its lines for the kitchen."""
    return await jobs.print_order(caller, id, order_id, printer_id, body.kind)


@routes.post(f"{PRINTER}/claim", scope=WRITE, status=200)
async def claim_job(caller: Caller, id: int, printer_id: int) -> NextJob:
    """Claim the next job of a printer of the kind ``browser``: null if nothing waits, or while another is claimed."""
    return await browser_printers.claim_job(caller, id, printer_id)


@routes.post(f"{JOB}/confirm", scope=WRITE, status=200)
async def confirm_job(caller: Caller, id: int, job_id: int) -> Job:
    """Confirm that a browser has printed a job."""
    return await browser_printers.confirm_job(caller, id, job_id)
