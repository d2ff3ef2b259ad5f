"""The report of an import."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from comanda.contracts.stores.menu_items import Item
from comanda.menu.events import Change, Entity
from comanda.menu.imports.document import MenuDocument
from comanda.menu.imports.plan import ImportPlan, PlannedCategory, PlannedItem
from comanda.menu.imports.schemas import ImportChange, ImportCounts, ImportReport
from comanda.menu.reading.content import MenuContent
from comanda.menu.records import MenuCategory

MAX_LISTED_CHANGES: Final = 500
MAX_LISTED_WARNINGS: Final = 100


@dataclass(frozen=True, slots=True)
class _Change:
    change: Change
    entity: Entity
    part: PlannedCategory | PlannedItem | MenuCategory | Item
    category: str
    fields: Sequence[str] = ()


def create_report(plan: ImportPlan, document: MenuDocument, content: MenuContent) -> ImportReport:
    """Return what a plan changes. New objects have their ids once they are assigned."""
    changes = list(_list_changes(plan, content))
    counts = Counter((each.entity, each.change) for each in changes)
    total = {Entity.CATEGORY: len(plan.categories), Entity.ITEM: sum(len(each.items) for each in plan.categories)}
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
        changes=[_to_change(each) for each in changes[:MAX_LISTED_CHANGES]],
        warnings=warnings[:MAX_LISTED_WARNINGS],
        warnings_count=len(warnings),
    )


def _list_changes(plan: ImportPlan, content: MenuContent) -> Iterator[_Change]:
    for category in plan.categories:
        parts: list[tuple[Entity, PlannedCategory | PlannedItem, list[str]]]
        parts = [(Entity.CATEGORY, category, sorted(category.columns))]
        parts += [(Entity.ITEM, item, item.changed) for item in category.items]
        for entity, part, fields in parts:
            if part.id is None:
                yield _Change(Change.CREATED, entity, part, category.name)
            elif fields:
                yield _Change(Change.UPDATED, entity, part, category.name, fields)
    names = {category.id: category.name for category in content.categories}
    for gone in plan.removed_items:
        yield _Change(Change.DELETED, Entity.ITEM, gone, names[gone.category_id])
    for category_gone in plan.removed_categories:
        yield _Change(Change.DELETED, Entity.CATEGORY, category_gone, category_gone.name)


def _to_change(found: _Change) -> ImportChange:
    part = found.part
    planned = part if isinstance(part, PlannedCategory | PlannedItem) else None
    price = part.price if isinstance(part, PlannedItem) else None
    before = part.previous_price if isinstance(part, PlannedItem) else None
    return ImportChange(
        change=found.change,
        entity=found.entity,
        id=part.id or (planned.new_id if planned else None),
        name=part.name,
        category=found.category,
        line=planned.line if planned else None,
        fields=list(found.fields),
        price=None if price is None else float(price),
        previous_price=None if before is None or before == price else float(before),
    )
