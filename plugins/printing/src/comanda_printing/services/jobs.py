"""Jobs: queued, listed, and printed again."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Final

import orjson
from comanda.basics import clock, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.orders import queries
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import Store, find_store, require_store

from comanda_printing import settings
from comanda_printing.models import JobKind, PrinterKind
from comanda_printing.records import Job, JobState, KnownPrinter
from comanda_printing.schemas import JobQuery
from comanda_printing.services import order_facts
from comanda_printing.services.known_printers import require_printer
from comanda_printing.services.layouts.facts import Facts, SampleFacts, parse_facts

QUEUE_NAME: Final = "printing"
STATE: Final = """CASE WHEN j.confirmed_at IS NOT NULL THEN 'printed' WHEN j.dead_at IS NOT NULL THEN 'failed'
    ELSE 'waiting' END"""
JOB_COLUMNS: Final = f"""j.id, j.printer_id, j.kind, j.order_id, {STATE} AS state,
    j.is_copy OR j.sent_at IS NOT NULL AS is_copy, j.attempts, j.error, j.print_at, j.confirmed_at, j.created_at"""
LISTED: Final = f"""FROM printing_job j WHERE j.owner_id = $1 AND j.store_id = $2
    AND ($3::bigint IS NULL OR j.printer_id = $3) AND ($4::bigint IS NULL OR j.order_id = $4)
    AND ($5::text IS NULL OR {STATE} = $5)"""
SELECT_ONE: Final = f"SELECT {JOB_COLUMNS} FROM printing_job j WHERE j.owner_id = $1 AND j.store_id = $2 AND j.id = $3"
SELECT_JOBS: Final = f"SELECT {JOB_COLUMNS} {LISTED} ORDER BY j.id DESC LIMIT $6 OFFSET $7"
COUNT_JOBS: Final = f"SELECT count(*) {LISTED}"
# An event that is handled again finds its jobs there.
INSERT_JOB: Final = f"""
    INSERT INTO printing_job AS j (owner_id, store_id, printer_id, routed_to_id, kind, order_id, event_id, line_ids,
        facts, is_copy, print_at, next_attempt_at, created_at)
    VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12)
    ON CONFLICT DO NOTHING RETURNING {JOB_COLUMNS}
"""
SELECT_JOB: Final = """
    SELECT printer_id, kind, order_id, line_ids, facts FROM printing_job
    WHERE owner_id = $1 AND store_id = $2 AND id = $3
"""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to queue for a printer. ``event_id`` is that of the event that caused it, None for what a person wants."""

    printer: KnownPrinter
    kind: JobKind
    facts: Facts
    order_id: int | None = None
    event_id: int | None = None
    line_ids: list[int] = field(default_factory=list)
    print_at: datetime | None = None
    is_copy: bool = False


async def queue_job(job: NewJob) -> Job | None:
    """Queue a job; None for one of an event that was queued for the printer before."""
    printer, moment = job.printer, clock.now()
    print_at = max(job.print_at or moment, moment)
    document = orjson.dumps(asdict(job.facts)).decode()
    row = await sql.fetch_one(
        INSERT_JOB, printer.owner_id, printer.store_id, printer.id, job.kind, job.order_id, job.event_id, job.line_ids,
        document, job.is_copy, print_at, get_check_at(printer, print_at), moment,
    )  # fmt: skip
    if row is None:
        return None
    notifier.notify(QUEUE_NAME)
    return _to_job(row)


async def list_jobs(caller: Caller, store_id: int, query: JobQuery, page: PageRequest) -> RecordPage[Job]:
    """List a store's jobs, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    given = (caller.owner_id, store_id, query.printer_id, query.order_id, query.state)

    async def count() -> int:
        return int(await sql.fetch_value(COUNT_JOBS, *given))

    rows = await sql.fetch(SELECT_JOBS, *given, page.size(), page.offset())
    return page.of([_to_job(row) for row in rows], await page.get_total(rows, count))


async def get_job(caller: Caller, store_id: int, job_id: int) -> Job:
    """Return a job. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_ONE, caller.owner_id, store_id, job_id)
    return _to_job(row)


@sql.transaction()
async def print_again(caller: Caller, store_id: int, job_id: int) -> Job:
    """Queue a job again for the same printer, marked as a copy. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_JOB, caller.owner_id, store_id, job_id)
    printer = await require_printer(caller.owner_id, store_id, row["printer_id"])
    kind = JobKind(row["kind"])
    facts = parse_facts(kind, orjson.loads(row["facts"]))
    return require_found(
        await queue_job(NewJob(printer, kind, facts, row["order_id"], line_ids=row["line_ids"], is_copy=True))
    )


@sql.transaction()
async def print_test_page(caller: Caller, store_id: int, printer_id: int) -> Job:
    """Queue a test page. Raises ``NotFound``."""
    store = await _get_store(caller, store_id)
    printer = await require_printer(caller.owner_id, store_id, printer_id)
    url = f"{runtime.settings().site_url}/dashboard/stores/{store_id}/printers/{printer_id}"
    facts = SampleFacts(store.title, printer.name, url, clock.now(), store.timezone)
    return require_found(await queue_job(NewJob(printer, JobKind.TEST, facts)))


@sql.transaction()
async def print_order(caller: Caller, store_id: int, order_id: int, printer_id: int, kind: JobKind) -> Job:
    """Queue an order's receipt, or all of its lines for the kitchen, for a printer. Raises ``NotFound``."""
    store = await _get_store(caller, store_id)
    order = await queries.find_order(caller, store_id, order_id)
    printer = await require_printer(caller.owner_id, store_id, printer_id)
    facts: Facts = (
        order_facts.build_receipt(order, store)
        if kind is JobKind.RECEIPT
        else order_facts.build_ticket(order, store.timezone, order.lines)
    )
    return require_found(await queue_job(NewJob(printer, kind, facts, order_id)))


def get_check_at(printer: KnownPrinter, print_at: datetime) -> datetime:
    """Return when a worker looks after a job: at once if it prints it itself, else when the printer may be silent."""
    found = settings.get_settings()
    if printer.kind is PrinterKind.ESCPOS_TCP:
        return print_at
    return print_at + (found.give_up_after if printer.fallback_id is None else found.fallback_after)


async def _get_store(caller: Caller, store_id: int) -> Store:
    await require_store(caller, store_id)
    return require_found(await find_store(caller.owner_id, store_id))


def _to_job(row: sql.Row) -> Job:
    return Job(**{**dict(row), "kind": JobKind(row["kind"]), "state": JobState(row["state"])})
