"""Imports in the background: one of a store at a time, which says how far it is and can be cancelled.

The row holds the file until it is imported. Its result is written in the transaction of the import, so that an import
happens once, whatever becomes of its worker.
"""

import asyncio
from collections.abc import Sequence
from contextvars import copy_context
from dataclasses import asdict
from typing import Any, Final

import orjson
import structlog

from comanda.basics import clock
from comanda.basics.errors import ComandaError, Conflict
from comanda.basics.sentences import Sentence
from comanda.contracts.background.queues import ClaimedRow, LeasedQueue, QueueLimits, QueueTable, QueueWork, RowResult
from comanda.contracts.requests.callers import Caller
from comanda.menu import services
from comanda.menu.imports.execution import ImportProgress
from comanda.menu.imports.schemas import ImportReport, MenuImport
from comanda.menu.imports.services import check_file, import_menu
from comanda.menu.imports.steps import ImportFile
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

log = structlog.get_logger(__name__)

IN_PROGRESS: Final = "Another import of this menu is in progress."
QUEUE_NAME: Final = "menu_imports"
MAX_SECONDS: Final = 180.0
MAX_ATTEMPTS: Final = 3
SAVE_SECONDS: Final = 1.0
COLUMNS: Final = "id, status, options, items_count, items_done, report, problem, created_at"
OPEN: Final = "status IN ('waiting', 'running')"
IS_PREVIEW: Final = "status = 'done' AND (options ->> 'dry_run')::boolean"
HAS_OPEN: Final = f"SELECT true FROM core_menu_import WHERE store_id = $1 AND owner_id = $2 AND {OPEN}"
DELETE_FINISHED: Final = f"DELETE FROM core_menu_import WHERE store_id = $1 AND owner_id = $2 AND NOT {OPEN}"
INSERT_IMPORT: Final = f"""
    INSERT INTO core_menu_import (owner_id, store_id, file, options, created_at, next_attempt_at)
    VALUES ($2, $1, $3, $4::jsonb, $5, $5) ON CONFLICT (store_id, owner_id) DO NOTHING RETURNING {COLUMNS}
"""
SELECT_IMPORT: Final = f"SELECT {COLUMNS} FROM core_menu_import WHERE id = $1 AND store_id = $2 AND owner_id = $3"
APPLY_PREVIEW: Final = f"""
    UPDATE core_menu_import SET status = 'waiting', options = options || '{{"dry_run": false}}', report = NULL,
        attempts = 0, next_attempt_at = $4
    WHERE id = $1 AND store_id = $2 AND owner_id = $3 AND {IS_PREVIEW}
    RETURNING {COLUMNS}
"""
CANCEL_IMPORT: Final = f"""
    UPDATE core_menu_import SET status = 'cancelled', file = '', report = NULL, next_attempt_at = NULL,
        leased_until = NULL
    WHERE id = $1 AND store_id = $2 AND owner_id = $3 AND ({OPEN} OR {IS_PREVIEW}) RETURNING {COLUMNS}
"""
# Whoever holds the lease; a cancelled import has none.
HELD: Final = "id = $1 AND owner_id = $2 AND leased_until = $3"
START_IMPORT: Final = f"""
    UPDATE core_menu_import SET status = 'running', items_done = 0, items_count = 0 WHERE {HELD}
    RETURNING store_id, file, options
"""
SAVE_PROGRESS: Final = f"UPDATE core_menu_import SET items_done = $4, items_count = $5 WHERE {HELD}"
FINISH_IMPORT: Final = f"""
    UPDATE core_menu_import SET status = 'done', report = $4::jsonb, file = CASE WHEN $5 THEN file ELSE '' END,
        next_attempt_at = NULL, leased_until = NULL
    WHERE {HELD}
"""
FAIL_IMPORT: Final = f"""
    UPDATE core_menu_import SET status = 'failed', problem = $4::jsonb, file = '', next_attempt_at = NULL,
        leased_until = NULL
    WHERE {HELD}
"""


class ImportCancelled(Exception):
    """The import was cancelled, or another worker has taken it over."""


async def start_import(caller: Caller, store_id: int, file: ImportFile) -> MenuImport:
    """Queue a file for import by a worker, if it can be read.

    Raises ``NotFound``, ``BadRequest`` and ``ValidationFailed``, and ``Conflict`` during another import of the store.
    """
    store = await services.get_owned_store(caller, store_id)
    if await sql.fetch_value(HAS_OPEN, store.id, store.owner_id):
        raise Conflict(IN_PROGRESS)
    parsed = await check_file(caller, store_id, file)
    options = {**asdict(file), "dry_run": parsed.is_dry_run}
    raw = options.pop("raw")
    async with sql.transaction():
        await sql.execute(DELETE_FINISHED, store.id, store.owner_id)
        encoded = orjson.dumps(options).decode()
        row = await sql.fetch_one(INSERT_IMPORT, store.id, store.owner_id, raw, encoded, clock.now())
        if row is None:
            raise Conflict(IN_PROGRESS)
        notifier.notify(QUEUE_NAME)
    return _to_import(row)


async def get_import(caller: Caller, store_id: int, import_id: int) -> MenuImport:
    """Return an import of the store. Raises ``NotFound``."""
    await services.get_owned_store(caller, store_id)
    row = await sql.require_one(SELECT_IMPORT, import_id, store_id, caller.owner_id)
    return _to_import(row)


async def apply_preview(caller: Caller, store_id: int, import_id: int) -> MenuImport:
    """Queue the file of a finished dry run for import. Raises ``NotFound`` and ``Conflict``."""
    await get_import(caller, store_id, import_id)
    async with sql.transaction():
        row = await sql.fetch_one(APPLY_PREVIEW, import_id, store_id, caller.owner_id, clock.now())
        if row is None:
            raise Conflict("Only a finished dry run can be applied.")
        notifier.notify(QUEUE_NAME)
    return _to_import(row)


async def cancel_import(caller: Caller, store_id: int, import_id: int) -> MenuImport:
    """Cancel an import, of which nothing remains, or a finished dry run with its file.

    Raises ``NotFound``, and ``Conflict`` if it is finished.
    """
    await get_import(caller, store_id, import_id)
    async with sql.transaction():
        row = await sql.fetch_one(CANCEL_IMPORT, import_id, store_id, caller.owner_id)
        if row is None:
            raise Conflict(Sentence("This import is finished."))
    return _to_import(row)


async def _process(rows: Sequence[ClaimedRow]) -> Sequence[object]:
    return [await _run_import(row) for row in rows]


async def _run_import(row: ClaimedRow) -> object:
    """Import the file of a row. Its result is saved already, unless it is an error to retry."""
    held = (row.id, row.owner_id, row.leased_until)
    started = await sql.fetch_one(START_IMPORT, *held)
    if started is None:
        return RowResult.RELEASED
    file = ImportFile(started["file"], **orjson.loads(started["options"]))
    caller = Caller("owner", 0, row.owner_id, None, None, frozenset({"*"}), None)
    try:
        await import_menu(caller, started["store_id"], file, _SavedProgress(held))
    except ImportCancelled:
        log.info("menu_import_cancelled", import_id=row.id, owner_id=row.owner_id)
    except Exception as error:
        refusal = error if isinstance(error, ComandaError) and error.status < ComandaError.status else None
        if refusal is None:
            log.exception("menu_import_failed", import_id=row.id, owner_id=row.owner_id, attempt=row.attempt)
            if row.attempt < MAX_ATTEMPTS:
                return error
        problem = (refusal or ComandaError()).envelope()
        await sql.execute(FAIL_IMPORT, *held, orjson.dumps(problem).decode())
    return RowResult.RELEASED


class _SavedProgress(ImportProgress):
    """Saves how far an import is at once, so that others see it before the import is committed."""

    def __init__(self, held: tuple[Any, ...]) -> None:
        self._held, self._saved_at = held, 0.0
        self._outside = copy_context()

    async def advance(self, written: int, count: int) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._saved_at < SAVE_SECONDS:
            return
        self._saved_at = now
        saving = sql.execute(SAVE_PROGRESS, *self._held, written, count)
        if not await asyncio.create_task(saving, context=self._outside):
            raise ImportCancelled

    async def finish(self, report: ImportReport) -> None:
        if not await sql.execute(FINISH_IMPORT, *self._held, report.model_dump_json(), report.dry_run):
            raise ImportCancelled


def _to_import(row: sql.Row) -> MenuImport:
    values = dict(row)
    options, report, problem = (orjson.loads(values.pop(name) or "null") for name in ("options", "report", "problem"))
    return MenuImport(
        **values,
        dry_run=bool(options["dry_run"]),
        report=None if report is None else ImportReport.model_validate(report),
        message=problem and problem["message"],
        errors=problem and problem.get("errors"),
    )


IMPORTS: Final = QueueTable("core_menu_import", columns=("store_id",))
LIMITS: Final = QueueLimits(max_in_flight=2, max_per_owner=1, deadline_seconds=MAX_SECONDS)
QUEUE: Final = LeasedQueue(QUEUE_NAME, IMPORTS, QueueWork(_process, LIMITS))
