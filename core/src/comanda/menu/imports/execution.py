"""Execution of an import plan, in the open transaction: many rows with each statement."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from tortoise.models import Model

from comanda.menu import services
from comanda.menu.capabilities import attributes
from comanda.menu.changes import gallery
from comanda.menu.events import Change, Entity, MenuUpdated
from comanda.menu.imports.rows import ImportPart, NewRows, PlanSummary, RowKind
from comanda.menu.imports.schemas import ImportReport
from comanda.menu.imports.step_runners import StepRunner
from comanda.menu.imports.steps import ImportSteps
from comanda.menu.models import Category, Extra, ExtraGroup, Item, Variant
from comanda.platform.db import sql
from comanda.platform.db.references import check_references
from comanda.platform.events.outbox import publish_all
from comanda.stores.models import Store

T = TypeVar("T")

# The same lock order as for orders: items by id, variants by id, the store last.
LOCK_ITEMS_AND_VARIANTS = (
    "SELECT id FROM core_menu_item WHERE store_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE",
    "SELECT id FROM core_variant WHERE store_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE",
)
# Imports of one menu run one after the other, so that the second one finds what the first one created.
LOCK_IMPORT = "SELECT pg_advisory_xact_lock(hashtextextended('menu_import:' || $1::bigint, 0))"
# Lets two variants swap their SKUs.
CLEAR_SKUS = "UPDATE core_variant SET sku = NULL WHERE id = ANY($1::bigint[]) AND owner_id = $2"
CREATE_IDS = "SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id FROM generate_series(1, $2::int)"
INSERT_PICTURES = """
    INSERT INTO core_gallery_picture (owner_id, store_id, item_id, position, alt, url, photo_id)
    SELECT $2, $1, r.item_id, r.position, r.alt, r.url, p.id
    FROM json_to_recordset($3::json) AS r (item_id bigint, position int, alt text, url text, hash text)
    LEFT JOIN core_photo p ON p.hash = r.hash AND p.owner_id = $2
    ORDER BY r.item_id, r.position
"""
MAX_ROWS_AT_ONCE: Final = 200


class ImportProgress:
    """What is told how far an import is. It may raise, and then nothing is changed."""

    async def advance(self, written: int, count: int) -> None:
        """Be told how many of the items to write are written."""

    async def finish(self, report: ImportReport) -> None:
        """Be told the report, in the transaction of the import."""


def _list_columns(model: type[Model]) -> Sequence[str]:
    """List the columns of a table beside those that say which row it is, and whose."""
    return [name for name in model._meta.fields_map if name not in {"id", "owner_id", "store_id"}]


def _list_defaults(model: type[Model]) -> Mapping[str, Any]:
    defaults = {name: model._meta.fields_map[name].default for name in _list_columns(model)}
    return {name: value() if callable(value) else value for name, value in defaults.items()}


def _build_insert(model: type[Model], *, has_id: bool) -> str:
    names = [*(["id"] if has_id else []), *_list_columns(model)]
    table, values = model._meta.db_table, ", ".join(f"r.{name}" for name in names)
    return (
        f"INSERT INTO {table} (owner_id, store_id, {', '.join(names)}) SELECT $2, $1, {values} "
        f"FROM json_populate_recordset(NULL::{table}, $3::json) AS r"
    )


def _build_update(model: type[Model]) -> str:
    """Return a statement that changes the columns that each row has; the others stay as they are."""
    names = _list_columns(model)
    values = ", ".join(f"r.{name}" for name in names)
    return (
        f"UPDATE {model._meta.db_table} t SET ({', '.join(names)}) = "
        f"(SELECT {values} FROM jsonb_populate_record(t, given.row) AS r) "
        "FROM jsonb_array_elements($3::jsonb) AS given (row) "
        "WHERE t.id = (given.row ->> 'id')::bigint AND t.store_id = $1 AND t.owner_id = $2"
    )


# The tables of new rows, and whether these have ids that other rows refer to.
NEW_ROWS: Final[Mapping[RowKind, tuple[type[Model], bool]]] = {
    RowKind.NEW_CATEGORIES: (Category, True),
    RowKind.NEW_ITEMS: (Item, True),
    RowKind.NEW_VARIANTS: (Variant, False),
    RowKind.NEW_GROUPS: (ExtraGroup, True),
    RowKind.NEW_EXTRAS: (Extra, False),
}
CHANGED_ROWS: Final[Mapping[RowKind, type[Model]]] = {
    RowKind.CATEGORIES: Category,
    RowKind.ITEMS: Item,
    RowKind.VARIANTS: Variant,
    RowKind.GROUPS: ExtraGroup,
    RowKind.EXTRAS: Extra,
}
STATEMENTS: Final[Mapping[RowKind, str]] = {
    **{kind: _build_insert(model, has_id=has_id) for kind, (model, has_id) in NEW_ROWS.items()},
    **{kind: _build_update(model) for kind, model in CHANGED_ROWS.items()},
    RowKind.PICTURES: INSERT_PICTURES,
}


async def lock_menu(store: Store) -> None:
    """Lock a store's menu against other imports, edits and orders."""
    await sql.execute(LOCK_IMPORT, store.id)
    for statement in LOCK_ITEMS_AND_VARIANTS:
        await sql.execute(statement, store.id, store.owner_id)


async def prepare_rows(summary: PlanSummary) -> NewRows:
    """Return the ids and defaults of the rows to create."""
    return NewRows(
        await _create_ids(Category, summary.new_categories),
        await _create_ids(Item, summary.new_items),
        await _create_ids(ExtraGroup, summary.new_groups),
        {kind: _list_defaults(model) for kind, (model, _) in NEW_ROWS.items()},
    )


async def _create_ids(model: type[Model], count: int) -> Sequence[int]:
    return [row["id"] for row in await sql.fetch(CREATE_IDS, model._meta.db_table, count)] if count else []


async def apply_plan(store: Store, summary: PlanSummary, runner: StepRunner, progress: ImportProgress) -> None:
    """Write the rows of a plan, publish one event per changed item and category, and bump the menu's version once."""
    await _prepare(store, summary)
    changes: list[tuple[Change, Entity, int]] = []
    written = 0
    while part := await runner.run(ImportSteps.build_rows):
        await progress.advance(written, summary.written_items)
        await _write(store, part)
        changes += part.changes
        written += part.items
    await _delete_items_and_categories(store, summary)
    changes += [(Change.DELETED, Entity.ITEM, item_id) for item_id in summary.removed_items]
    changes += [(Change.DELETED, Entity.CATEGORY, category_id) for category_id in summary.removed_categories]
    for some in _split(changes):
        events = [
            MenuUpdated(restaurant_id=store.id, change=change, entity=entity, id=entity_id)
            for change, entity, entity_id in some
        ]
        await publish_all(events, owner_id=store.owner_id, store_id=store.id)
    if changes:
        await services.bump_version(store)


async def _prepare(store: Store, summary: PlanSummary) -> None:
    """Change and delete what would stand against the new rows."""
    if summary.changed_skus:
        await sql.execute(CLEAR_SKUS, summary.changed_skus, store.owner_id)
    await _delete(store, Variant, summary.removed_variants, "A variation")
    await _delete(store, Extra, summary.removed_extras, "An extra")
    await _delete(store, ExtraGroup, summary.removed_groups, "A group of extras")
    if summary.replaced_galleries or summary.photo_hashes:
        await gallery.clear_galleries(store.owner_id, summary.replaced_galleries, summary.photo_hashes)


async def _write(store: Store, part: ImportPart) -> None:
    for kind, rows in part.rows:
        await sql.execute(STATEMENTS[kind], store.id, store.owner_id, rows)
    for each in part.attributes:
        await attributes.save_attributes(store, each.item_id, each.values, each.before)


async def _delete_items_and_categories(store: Store, summary: PlanSummary) -> None:
    if summary.removed_items:
        await gallery.release_photos(store.owner_id, summary.removed_items)
    await _delete(store, Item, summary.removed_items, "An item")
    await _delete(store, Category, summary.removed_categories, "A category")


async def _delete(store: Store, model: type[Model], ids: Sequence[int], name: str) -> None:
    for some in _split(ids):
        async with check_references(name):
            await model.filter(id__in=some, store_id=store.id, owner_id=store.owner_id).delete()


def _split(values: Sequence[T]) -> Iterator[Sequence[T]]:
    return (values[start : start + MAX_ROWS_AT_ONCE] for start in range(0, len(values), MAX_ROWS_AT_ONCE))
