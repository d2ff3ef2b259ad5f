"""Import and export of a store's whole menu."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from comanda.basics.errors import NotFound
from comanda.contracts.callers import Caller
from comanda.contracts.menu_items import Item
from comanda.menu import gallery, services
from comanda.menu.events import Change, Entity
from comanda.menu.imports.csv_format import parse_csv, to_csv_file
from comanda.menu.imports.document import ImportProblems, MenuDocument
from comanda.menu.imports.execution import apply_plan, lock_menu
from comanda.menu.imports.export_format import to_export_format
from comanda.menu.imports.json_format import parse_json, to_json_file
from comanda.menu.imports.plan import ImportPlan, PlannedCategory, PlannedItem, create_plan
from comanda.menu.imports.schemas import ImportChange, ImportCounts, ImportReport
from comanda.menu.queries import MenuData, load_menu
from comanda.menu.quota import ITEMS
from comanda.menu.records import MenuCategory
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.entitlements import require_quota
from comanda.platform.photos.urls import parse_url
from comanda.stores.models import Store
from comanda.stores.records import find_vertical

T = TypeVar("T")

MAX_LISTED_CHANGES: Final = 500
MAX_LISTED_WARNINGS: Final = 100
# Files are bounded so that each is parsed within a fraction of a second, and one at a time, so that a thread of Python
# code takes at most every second turn from the event loop. A request that is cancelled leaves the queue.
_parser = ThreadPoolExecutor(max_workers=1, thread_name_prefix="menu-import")
# One import of an owner at a time: what waits holds no connection, and others' imports are next.
_owner_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


async def read_json(
    caller: Caller, store_id: int, raw: bytes, *, charset: str | None = None, by_line: bool = False
) -> MenuDocument:
    """Parse a menu from JSON. Raises ``NotFound``, ``BadRequest`` or ``ValidationFailed``."""
    store = await services.get_owned_store(caller, store_id)
    async with _lock_owner(store.owner_id):
        return await _run(partial(parse_json, raw, store.currency, charset=charset, by_line=by_line))


async def read_table(
    caller: Caller,
    store_id: int,
    raw: bytes,
    *,
    charset: str | None = None,
    columns: Sequence[str] | None = None,
    **options: bool,
) -> MenuDocument:
    """Parse a menu from CSV or a workbook. ``columns`` replace its headings, and an empty one leaves its column out.

    Raises ``NotFound``, ``BadRequest`` or ``ValidationFailed``.
    """
    store = await services.get_owned_store(caller, store_id)
    more_columns, currency = list_capability_columns(store), store.currency
    async with _lock_owner(store.owner_id):
        return await _run(partial(parse_csv, raw, more_columns, currency, charset=charset, columns=columns, **options))


async def import_menu(caller: Caller, store_id: int, document: MenuDocument) -> ImportReport:
    """Update a store's menu to match a document; with ``dry_run`` only report the changes.

    All changes are made or none. Importing the same document again changes nothing. Emits ``MenuUpdated`` once for each
    item and category that changes. Raises ``NotFound``, and ``ValidationFailed``, also beyond the number of items of
    the owner's plan.
    """
    owner_id = (await services.get_owned_store(caller, store_id)).owner_id
    async with _lock_owner(owner_id), sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        if not document.dry_run:
            await lock_menu(store)
        data = await load_menu(store_id)
        if data is None:
            raise NotFound
        await _check_photos(store, document)
        plan = await create_plan(store, data, document)
        await require_quota(store.owner_id, ITEMS.code, adding=plan.count_new_items(), removing=len(plan.removed_items))
        created_ids = {} if document.dry_run else await apply_plan(store, plan)
    return _to_report(plan, document, data, created_ids)


async def export_menu(caller: Caller, store_id: int, form: str, *, is_template: bool = False) -> bytes:
    """Return a store's menu as an importable file, ``json`` or ``csv``. Raises ``NotFound``.

    A template has only the columns that ``csv`` takes, or no categories.
    """
    store = await services.get_owned_store(caller, store_id)
    if is_template:
        return to_csv_file([], list_capability_columns(store)) if form == "csv" else to_json_file([])
    data = await load_menu(store_id)
    if data is None:
        raise NotFound
    categories = to_export_format(data, find_vertical(store.store_type))
    columns = list_capability_columns(store)
    return await _run(partial(to_csv_file, categories, columns) if form == "csv" else partial(to_json_file, categories))


def _lock_owner(owner_id: int) -> asyncio.Lock:
    return _owner_locks.setdefault(owner_id, asyncio.Lock())


async def _run(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_parser, work)


def list_capability_columns(store: Store) -> list[str]:
    """List the fields of a store's item capabilities."""
    vertical = find_vertical(store.store_type)
    found = runtime.registry().item_fields(vertical) if vertical else []
    return [name for capability in found for name in capability.fields.model_fields]


async def _check_photos(store: Store, document: MenuDocument) -> None:
    """Raise ``ValidationFailed`` for URLs of uploaded photos that the owner does not have."""
    named: dict[str, list[str]] = {}
    for place, category in enumerate(document.categories):
        for number, item in enumerate(category.items):
            for position, picture in enumerate(item.gallery or []):
                if photo_hash := parse_url(picture.url):
                    path = f"menu.{place}.items.{number}.gallery.{position}.url"
                    named.setdefault(photo_hash, []).append(path)
    there = await gallery.list_stored_hashes(store.owner_id, list(named))
    problems = ImportProblems(document.locate)
    with problems.checked():
        for path in (path for photo_hash, paths in named.items() if photo_hash not in there for path in paths):
            problems.add(path, gallery.PHOTO_NOT_FOUND)


def _to_report(plan: ImportPlan, document: MenuDocument, data: MenuData, created_ids: dict[int, int]) -> ImportReport:
    changes = list(_list_changes(plan, data, created_ids))
    counts = Counter((change.entity, change.change) for change in changes)
    total = {
        Entity.CATEGORY: len(plan.categories),
        Entity.ITEM: sum(len(category.items) for category in plan.categories),
    }
    counts_by_entity = {}
    for entity, count in total.items():
        created, updated = counts[entity, Change.CREATED], counts[entity, Change.UPDATED]
        removed = counts[entity, Change.DELETED]
        counts_by_entity[entity] = ImportCounts(
            created=created, updated=updated, unchanged=count - created - updated, removed=removed
        )
    warnings = [*document.notes, *plan.warnings]
    return ImportReport(
        dry_run=document.dry_run,
        source=document.source,
        categories=counts_by_entity[Entity.CATEGORY],
        items=counts_by_entity[Entity.ITEM],
        changes=changes[:MAX_LISTED_CHANGES],
        warnings=warnings[:MAX_LISTED_WARNINGS],
        warnings_count=len(warnings),
    )


def _list_changes(plan: ImportPlan, data: MenuData, created_ids: dict[int, int]) -> Iterator[ImportChange]:
    for category in plan.categories:
        parts: list[tuple[Entity, PlannedCategory | PlannedItem, list[str]]]
        parts = [(Entity.CATEGORY, category, sorted(category.columns))]
        parts += [(Entity.ITEM, item, item.changed) for item in category.items]
        for entity, part, fields in parts:
            if part.id is None or fields:
                price = part.price if isinstance(part, PlannedItem) else None
                before = part.previous_price if isinstance(part, PlannedItem) else None
                yield ImportChange(
                    change=Change.CREATED if part.id is None else Change.UPDATED,
                    entity=entity,
                    id=created_ids.get(id(part), part.id),
                    name=part.name,
                    category=category.name,
                    line=part.line,
                    fields=fields if part.id is not None else [],
                    price=None if price is None else float(price),
                    previous_price=None if before is None or before == price else float(before),
                )
    names = {category.id: category.name for category in data.categories}
    removed: list[tuple[Entity, Item | MenuCategory, str]]
    removed = [(Entity.ITEM, item, names[item.category_id]) for item in plan.removed_items]
    removed += [(Entity.CATEGORY, category, category.name) for category in plan.removed_categories]
    for entity, gone, category_name in removed:
        yield ImportChange(
            change=Change.DELETED, entity=entity, id=gone.id, name=gone.name, category=category_name,
            line=None, fields=[],
        )  # fmt: skip
