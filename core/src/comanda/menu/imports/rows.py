"""The rows that an import plan writes, as JSON for statements that write many at once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import orjson

from comanda.contracts.stores.menu_items import Extra
from comanda.menu.columns import to_columns, to_group_columns
from comanda.menu.events import Change, Entity
from comanda.menu.imports.plan import ITEM_FIELDS, ImportPlan, ImportTerms, PlannedCategory, PlannedItem
from comanda.menu.schemas import ExtraBody, ExtraGroupBody
from comanda.platform.photos.urls import parse_url

# So many items are written with a few statements, each of which takes the event loop for about a millisecond.
MAX_ITEMS_PER_PART: Final = 200

Row = dict[str, Any]


class RowKind(StrEnum):
    """What is written of a table, in the order in which rows refer to each other."""

    NEW_CATEGORIES = "new_categories"
    CATEGORIES = "categories"
    NEW_ITEMS = "new_items"
    ITEMS = "items"
    NEW_VARIANTS = "new_variants"
    VARIANTS = "variants"
    NEW_GROUPS = "new_groups"
    GROUPS = "groups"
    NEW_EXTRAS = "new_extras"
    EXTRAS = "extras"
    PICTURES = "pictures"


@dataclass(frozen=True, slots=True)
class AttributeChange:
    """The values of an item's capabilities that change, for the plugins that store them in tables of their own."""

    item_id: int
    values: Mapping[str, Any]
    before: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ImportPart:
    """What is written at once: arrays of rows as JSON, and what follows from them."""

    items: int
    rows: Sequence[tuple[RowKind, str]]
    attributes: Sequence[AttributeChange]
    changes: Sequence[tuple[Change, Entity, int]]


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """How many items are written, how many rows need ids, and what is changed or deleted before others are written."""

    written_items: int
    new_categories: int
    new_items: int
    new_groups: int
    changed_skus: Sequence[int]
    removed_variants: Sequence[int]
    removed_groups: Sequence[int]
    removed_extras: Sequence[int]
    removed_items: Sequence[int]
    removed_categories: Sequence[int]
    replaced_galleries: Sequence[int]
    photo_hashes: Sequence[str]


@dataclass(frozen=True, slots=True)
class NewRows:
    """The ids of new rows, as many as a ``PlanSummary`` asks for, and the defaults of their columns."""

    categories: Sequence[int]
    items: Sequence[int]
    groups: Sequence[int]
    defaults: Mapping[RowKind, Mapping[str, Any]]


def summarize(plan: ImportPlan, terms: ImportTerms) -> PlanSummary:
    """Return what has to be known before the rows of a plan are written."""
    items = list(plan.list_items())
    removed_groups, removed_extras = list[int](), list[int]()
    for item in items:
        if item.row is not None and item.groups is not None:
            kept = {group.id: {extra.id for extra in group.extras} for group in item.groups}
            removed_groups += [group.id for group in item.row.groups if group.id not in kept]
            removed_extras += [
                extra.id
                for group in item.row.groups
                for extra in group.extras
                if group.id in kept and extra.id not in kept[group.id]
            ]
    pictures = [picture for item in items for picture in item.fields.get("gallery", ())]
    hashes = {found for picture in pictures if (found := parse_url(picture.url, terms.site_url))}
    return PlanSummary(
        written_items=sum(item.id is None or bool(item.changed) for item in items),
        new_categories=sum(category.id is None for category in plan.categories),
        new_items=plan.count_new_items(),
        new_groups=sum(group.id is None for item in items for group in item.groups or ()),
        changed_skus=[each.id for item in items for each in item.variants if each.id and "sku" in each.columns],
        removed_variants=[variant_id for item in items for variant_id in item.removed_variants],
        removed_groups=removed_groups,
        removed_extras=removed_extras,
        removed_items=[item.id for item in plan.removed_items],
        removed_categories=[category.id for category in plan.removed_categories],
        replaced_galleries=[item.id for item in items if item.id is not None and "gallery" in item.fields],
        photo_hashes=sorted(hashes),
    )


def assign_ids(plan: ImportPlan, new: NewRows) -> None:
    """Assign ids to new categories and items, in the order of the document."""
    for category, new_id in zip((each for each in plan.categories if each.id is None), new.categories, strict=True):
        category.new_id = new_id
    for item, new_id in zip((each for each in plan.list_items() if each.id is None), new.items, strict=True):
        item.new_id = new_id


def build_parts(plan: ImportPlan, terms: ImportTerms, new: NewRows, moment: datetime) -> Iterator[ImportPart]:
    """Yield the rows of a plan whose categories and items have ids, a few items at a time."""
    group_ids = iter(new.groups)
    part = _Part(terms, moment, new.defaults, group_ids)
    for category in plan.categories:
        part.add_category(category)
        for item in category.items:
            part.add_item(item, category.id or category.new_id)
            if part.count >= MAX_ITEMS_PER_PART:
                yield part.finish()
                part = _Part(terms, moment, new.defaults, group_ids)
    yield part.finish()


@dataclass(slots=True)
class _Part:
    terms: ImportTerms
    moment: datetime
    defaults: Mapping[RowKind, Mapping[str, Any]]
    group_ids: Iterator[int]
    count: int = 0
    rows: defaultdict[RowKind, list[Row]] = field(default_factory=lambda: defaultdict(list))
    attributes: list[AttributeChange] = field(default_factory=list)
    changes: list[tuple[Change, Entity, int]] = field(default_factory=list)

    def finish(self) -> ImportPart:
        rows = [(kind, orjson.dumps(self.rows[kind]).decode()) for kind in RowKind if self.rows[kind]]
        return ImportPart(self.count, rows, self.attributes, self.changes)

    def add_category(self, category: PlannedCategory) -> None:
        if category.new_id is not None:
            self._add_new(RowKind.NEW_CATEGORIES, id=category.new_id, **category.columns)
            self.changes.append((Change.CREATED, Entity.CATEGORY, category.new_id))
        elif category.id is not None and category.columns:
            self.rows[RowKind.CATEGORIES].append({"id": category.id, **category.columns})
            self.changes.append((Change.UPDATED, Entity.CATEGORY, category.id))

    def add_item(self, item: PlannedItem, category_id: int | None) -> None:
        item_id = item.id or item.new_id
        if item_id is None or not (item.id is None or item.changed):
            return
        self.count += 1
        self._add_columns(item, item_id, category_id)
        for position, picture in enumerate(item.fields.get("gallery", ())):
            photo_hash = parse_url(picture.url, self.terms.site_url)
            source = {"url": picture.url} if photo_hash is None else {"hash": photo_hash}
            row = {"item_id": item_id, "position": position, "alt": picture.alt or None, **source}
            self.rows[RowKind.PICTURES].append(row)
        for variant in item.variants:
            if variant.id is not None:
                self.rows[RowKind.VARIANTS].append({"id": variant.id, **variant.columns})
            else:
                self._add_new(RowKind.NEW_VARIANTS, item_id=item_id, **variant.columns)
        for position, group in enumerate(item.groups or ()):
            self._add_group(item_id, position, group)

    def _add_columns(self, item: PlannedItem, item_id: int, category_id: int | None) -> None:
        columns = {
            ITEM_FIELDS[name].name: ITEM_FIELDS[name].to_column(name, value, self.terms.currency)
            for name, value in item.fields.items()
            if name in ITEM_FIELDS and (value is not None or ITEM_FIELDS[name].is_nullable)
        }
        before = item.row.attributes if item.row else {}
        if item.attributes != before:
            columns["attributes"] = item.attributes
            if any(each.is_saved for each in self.terms.field_sets):
                self.attributes.append(AttributeChange(item_id, item.attributes, before))
        if item.id is None:
            columns |= {"category_id": category_id, "name": item.name, "created_at": self.moment}
            self._add_new(RowKind.NEW_ITEMS, id=item_id, **columns)
        else:
            if "category_id" in item.fields:
                columns["category_id"] = category_id
            if "is_sold_out" in columns:
                columns["sold_out_until"] = None
            self.rows[RowKind.ITEMS].append({"id": item_id, **columns})
        self.changes.append((Change.CREATED if item.id is None else Change.UPDATED, Entity.ITEM, item_id))

    def _add_group(self, item_id: int, position: int, group: ExtraGroupBody) -> None:
        columns = {**to_group_columns("", group, self.terms.currency), "position": position}
        if group.id is not None:
            group_id = group.id
            self.rows[RowKind.GROUPS].append({"id": group_id, **columns})
        else:
            group_id = next(self.group_ids)
            self._add_new(RowKind.NEW_GROUPS, id=group_id, item_id=item_id, **columns)
        for number, extra in enumerate(group.extras):
            self._add_extra(group_id, number, extra)

    def _add_extra(self, group_id: int, position: int, extra: ExtraBody) -> None:
        columns = to_columns(Extra, extra, self.terms.currency, is_whole=True)
        columns |= {"sold_out_until": None, "position": position}
        if extra.id is not None:
            self.rows[RowKind.EXTRAS].append({"id": extra.id, **columns})
        else:
            self._add_new(RowKind.NEW_EXTRAS, group_id=group_id, **columns)

    def _add_new(self, kind: RowKind, **columns: Any) -> None:
        self.rows[kind].append({**self.defaults[kind], **columns})
