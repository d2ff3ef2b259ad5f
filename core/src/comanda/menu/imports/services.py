"""Import and export of a store's whole menu."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from comanda.basics import clock
from comanda.basics.errors import require_found
from comanda.contracts.requests.callers import Caller
from comanda.contracts.stores.verticals import ItemCapability
from comanda.menu import services
from comanda.menu.changes import gallery
from comanda.menu.imports.csv_format import to_csv_file
from comanda.menu.imports.execution import ImportProgress, apply_plan, lock_menu, prepare_rows
from comanda.menu.imports.export_format import to_export_format
from comanda.menu.imports.json_format import to_json_file
from comanda.menu.imports.plan import CapabilityFailed, FieldModel, FieldSet, ImportTerms
from comanda.menu.imports.rows import PlanSummary
from comanda.menu.imports.schemas import ImportReport
from comanda.menu.imports.step_runners import StepRunner, open_runner, run_in_thread
from comanda.menu.imports.steps import ImportFile, ImportSteps, ParsedFile
from comanda.menu.quota import ITEMS
from comanda.menu.reading.queries import MenuData, get_texts, load_menu, select_menu
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.entitlements import require_quota
from comanda.platform.plugin_calls import catch_failures
from comanda.stores.models import Store
from comanda.stores.records import find_vertical

# Smaller imports take a few hundredths of a second, less than a process takes to start.
MAX_BYTES_IN_THREAD: Final = 32 * 1024
MAX_ITEMS_IN_THREAD: Final = 500
HAS_MORE_ITEMS: Final = "SELECT count(*) > $3 FROM core_menu_item WHERE store_id = $1 AND owner_id = $2"
SELECT_VERSIONS: Final = "SELECT menu_version, stock_version FROM core_store WHERE id = $1 AND owner_id = $2"
VERSIONS: Final = ("menu_version", "stock_version")
NO_PROGRESS: Final = ImportProgress()
# One import of an owner at a time: what waits holds no connection, and others' imports are next.
_owner_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class _Plan:
    """A plan, and the versions of the menu and of the stock that it was made for."""

    summary: PlanSummary
    versions: Mapping[str, int]


async def import_menu(
    caller: Caller, store_id: int, file: ImportFile, progress: ImportProgress = NO_PROGRESS
) -> ImportReport:
    """Update a store's menu to match a file; with ``dry_run`` only report the changes.

    All changes are made or none. Importing the same file again changes nothing. Emits ``MenuUpdated`` once for each
    item and category that changes. Raises ``NotFound``, ``BadRequest`` for what cannot be read, and
    ``ValidationFailed``, also beyond the number of items of the owner's plan.
    """
    store = await services.get_owned_store(caller, store_id)
    terms = _to_terms(store)
    async with _lock_owner(store.owner_id), open_runner(is_large=await _is_large(store, file)) as runner:
        try:
            parsed = await runner.run(ImportSteps.parse, terms, file)
            return await _import_parsed(store, runner, parsed, progress)
        except CapabilityFailed as error:
            capability = next(each for each in _list_capabilities(store) if each.code == error.code)
            with catch_failures(runtime.registry().plugin_of(capability), "fields"):
                raise
            raise


async def check_file(caller: Caller, store_id: int, file: ImportFile) -> ParsedFile:
    """Check that a file can be read, before it is compared with a menu. Raises like ``import_menu``."""
    store = await services.get_owned_store(caller, store_id)
    async with _lock_owner(store.owner_id), open_runner(is_large=len(file.raw) > MAX_BYTES_IN_THREAD) as runner:
        return await runner.run(ImportSteps.parse, _to_terms(store), file)


async def _import_parsed(
    store: Store, runner: StepRunner, parsed: ParsedFile, progress: ImportProgress
) -> ImportReport:
    plan = await _plan(store, runner, parsed)
    async with sql.transaction():
        if not parsed.is_dry_run:
            await lock_menu(store)
            if dict(await sql.one(SELECT_VERSIONS, store.id, store.owner_id)) != plan.versions:
                plan = await _plan(store, runner, parsed)
        removing = len(plan.summary.removed_items)
        await require_quota(store.owner_id, ITEMS.code, adding=plan.summary.new_items, removing=removing)
        if not parsed.is_dry_run:
            await runner.run(ImportSteps.begin_rows, await prepare_rows(plan.summary))
            await apply_plan(store, plan.summary, runner, progress)
        report = await runner.run(ImportSteps.report)
        await progress.finish(report)
    return report


async def _plan(store: Store, runner: StepRunner, parsed: ParsedFile) -> _Plan:
    """Plan the changes of the menu as it is now, before it is locked, because this takes longest."""
    row = require_found(await select_menu(store.id))
    known_photos = await gallery.list_stored_hashes(store.owner_id, parsed.photo_hashes)
    summary = await runner.run(ImportSteps.plan, get_texts(row), clock.now(), known_photos)
    return _Plan(summary, {name: row[name] for name in VERSIONS})


async def export_menu(caller: Caller, store_id: int, form: str, *, is_template: bool = False) -> bytes:
    """Return a store's menu as an importable file, ``json`` or ``csv``. Raises ``NotFound``.

    A template has only the columns that ``csv`` takes, or no categories.
    """
    store = await services.get_owned_store(caller, store_id)
    if is_template:
        return to_csv_file([], list_capability_columns(store)) if form == "csv" else to_json_file([])
    data = require_found(await load_menu(store_id))
    return await run_in_thread(partial(_write_file, store, data, form))


def _write_file(store: Store, data: MenuData, form: str) -> bytes:
    categories = to_export_format(data, find_vertical(store.store_type))
    return to_csv_file(categories, list_capability_columns(store)) if form == "csv" else to_json_file(categories)


def _lock_owner(owner_id: int) -> asyncio.Lock:
    return _owner_locks.setdefault(owner_id, asyncio.Lock())


async def _is_large(store: Store, file: ImportFile) -> bool:
    if len(file.raw) > MAX_BYTES_IN_THREAD:
        return True
    return bool(await sql.fetch_value(HAS_MORE_ITEMS, store.id, store.owner_id, MAX_ITEMS_IN_THREAD))


def list_capability_columns(store: Store) -> list[str]:
    """List the fields of a store's item capabilities."""
    return _to_terms(store).list_fields()


def _to_terms(store: Store) -> ImportTerms:
    vertical = find_vertical(store.store_type)
    return ImportTerms(
        currency=store.currency,
        counts_stock=vertical is not None and "stock" in vertical.capabilities,
        field_sets=[
            FieldSet(each.code, tuple(each.fields.model_fields), FieldModel(each.fields), each.saved is not None)
            for each in _list_capabilities(store)
        ],
        site_url=runtime.settings().site_url,
        max_items=runtime.settings().import_items_limit,
    )


def _list_capabilities(store: Store) -> Sequence[ItemCapability]:
    vertical = find_vertical(store.store_type)
    return runtime.registry().item_fields(vertical) if vertical else []
