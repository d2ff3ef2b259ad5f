"""Comparison of a menu to import with the store's menu. Nothing is changed here.

All that it depends on is passed to it, so that it can run in a process of its own.
"""

import pickle
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from pydantic import BaseModel

from comanda.basics import money
from comanda.basics.errors import ValidationFailed
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, ItemVariant
from comanda.menu.capabilities.attribute_values import Errors, complete_values, parse_fields, parse_values
from comanda.menu.columns import MenuField, list_clearable, list_fields, list_imported
from comanda.menu.combo_choices import IS_PART_OF_COMBO, Candidate, find_wrong_choices, has_choices
from comanda.menu.imports.document import IGNORED_KEYS, NO_SUCH_FIELD, ImportProblems, MenuDocument, shorten
from comanda.menu.imports.matches import Matcher
from comanda.menu.imports.schemas import (
    ImportedCategory,
    ImportedExtra,
    ImportedGroup,
    ImportedItem,
    ImportedVariant,
    MenuImportWarning,
)
from comanda.menu.reading.content import MenuContent
from comanda.menu.records import MenuCategory
from comanda.menu.schemas import PHOTO_NOT_FOUND, PHOTO_TWICE, ExtraBody, ExtraGroupBody
from comanda.platform.photos.urls import parse_url

ITEM_FIELDS: Final = list_fields(Item)
VARIANT_FIELDS: Final = list_imported(ItemVariant)
GROUP_FIELDS: Final = list_imported(ExtraGroup)
EXTRA_FIELDS: Final = list_imported(Extra)
CATEGORY_FIELDS: Final = [each.field for each in list_imported(MenuCategory)]
# For these fields null means none; for the others it means unchanged.
CLEARABLE: Final = list_clearable(Item, ItemVariant)


class FieldModel:
    """The model of an item capability's fields, which another process imports at its first use: most need none."""

    def __init__(self, model: type[BaseModel]) -> None:
        self._model: type[BaseModel] | None = model

    def __getstate__(self) -> bytes:
        return pickle.dumps(self.get())

    def __setstate__(self, reference: bytes) -> None:
        self._model, self._reference = None, reference

    def get(self) -> type[BaseModel]:
        if self._model is None:
            self._model = pickle.loads(self._reference)  # noqa: S301 - written by this class
        return self._model


@dataclass(frozen=True, slots=True)
class FieldSet:
    """The fields of an item capability; ``is_saved`` is whether its plugin stores them in tables of its own, too."""

    code: str
    names: Sequence[str]
    model: FieldModel
    is_saved: bool

    @property
    def fields(self) -> type[BaseModel]:
        return self.model.get()


@dataclass(frozen=True, slots=True)
class ImportTerms:
    """What an import depends on beside the file and the menu: of the store, of its plugins and of the installation."""

    currency: str
    counts_stock: bool
    field_sets: Sequence[FieldSet]
    site_url: str
    max_items: int

    def list_fields(self) -> list[str]:
        """List the fields of the store's item capabilities."""
        return [name for each in self.field_sets for name in each.names]


class CapabilityFailed(Exception):
    """The validation of the fields of an item capability, a plugin's, has failed."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(code, reason)


@dataclass(slots=True)
class PlannedVariant:
    """A variant to create, or to update in the columns that differ."""

    id: int | None
    columns: dict[str, Any]


@dataclass(slots=True)
class PlannedItem:
    """An item to create (``id`` None) or to update; ``fields`` are the differing ones, as named in the API.

    ``attributes`` are all values of item capabilities. One to create gets its ``new_id`` when it is written.
    """

    id: int | None
    name: str
    line: int | None
    previous_price: Decimal | None = None
    row: Item | None = None
    new_id: int | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    more_fields: dict[str, Any] = field(default_factory=dict)
    variants: list[PlannedVariant] = field(default_factory=list)
    removed_variants: list[int] = field(default_factory=list)
    groups: list[ExtraGroupBody] | None = None

    @property
    def price(self) -> Decimal | None:
        """The price after the change."""
        given = self.fields.get("price")
        return given if isinstance(given, Decimal) else self.previous_price

    @property
    def changed(self) -> list[str]:
        """The names of the fields that change."""
        names = {*self.fields, *self.more_fields}
        names |= {"variations"} if self.variants or self.removed_variants else set()
        return sorted(names | ({"extra_groups"} if self.groups is not None else set()))


@dataclass(slots=True)
class PlannedCategory:
    """A category to create (``id`` None, until it is written with its ``new_id``) or update, with its items."""

    id: int | None
    name: str
    line: int | None
    columns: dict[str, Any]
    new_id: int | None = None
    items: list[PlannedItem] = field(default_factory=list)


@dataclass(slots=True)
class ImportPlan:
    """All changes of an import."""

    categories: list[PlannedCategory] = field(default_factory=list)
    removed_items: list[Item] = field(default_factory=list)
    removed_categories: list[MenuCategory] = field(default_factory=list)
    warnings: list[MenuImportWarning] = field(default_factory=list)

    def count_new_items(self) -> int:
        """Return the number of items to create."""
        return sum(item.id is None for item in self.list_items())

    def list_items(self) -> Iterable[PlannedItem]:
        """Yield all items of the document."""
        return (item for category in self.categories for item in category.items)


def create_plan(
    terms: ImportTerms, content: MenuContent, document: MenuDocument, known_photos: Collection[str]
) -> ImportPlan:
    """Return the changes of an import. ``known_photos`` are hashes of the owner's photos.

    Raises ``ValidationFailed`` with all fields that do not fit the store.
    """
    return _Planner(terms, content, document, known_photos).plan()


def list_photos(terms: ImportTerms, document: MenuDocument) -> Mapping[str, list[str]]:
    """Return the paths of the pictures in a document that are photos of this installation, by their hashes."""
    found: dict[str, list[str]] = {}
    for place, category in enumerate(document.categories):
        for number, item in enumerate(category.items):
            for position, picture in enumerate(item.gallery or []):
                if photo_hash := parse_url(picture.url, terms.site_url):
                    path = f"menu.{place}.items.{number}.gallery.{position}.url"
                    found.setdefault(photo_hash, []).append(path)
    return found


class _Planner:
    def __init__(
        self, terms: ImportTerms, content: MenuContent, document: MenuDocument, known_photos: Collection[str]
    ) -> None:
        self._terms, self._content, self._document, self._known_photos = terms, content, document, known_photos
        self._problems = ImportProblems(document.locate)
        self._warnings: list[MenuImportWarning] = []
        self._combos: list[tuple[str, PlannedItem, Sequence[ExtraGroupBody]]] = []
        self._fields = frozenset(terms.list_fields())

    def plan(self) -> ImportPlan:
        plan = ImportPlan()
        with self._problems.checked():
            self._check_photos()
        with self._problems.checked():
            self._matcher = Matcher(self._content, self._document, self._problems)
            for place, category in enumerate(self._document.categories):
                plan.categories.append(self._plan_category(f"menu.{place}", place, category))
            self._check_combos(plan)
        if self._document.remove_missing:
            plan.removed_items = [item for item in self._content.items if item.id not in self._matcher.claimed]
            kept = {category.id for category in plan.categories}
            plan.removed_categories = [row for row in self._content.categories if row.id not in kept]
        plan.warnings = self._warnings
        return plan

    def _check_photos(self) -> None:
        for photo_hash, paths in list_photos(self._terms, self._document).items():
            items: set[str] = set()
            for path in paths:
                item = path.partition(".gallery.")[0]
                if photo_hash not in self._known_photos:
                    self._problems.add(path, PHOTO_NOT_FOUND)
                elif item in items:
                    self._problems.add(path, PHOTO_TWICE)
                items.add(item)

    def _plan_category(self, path: str, place: int, category: ImportedCategory) -> PlannedCategory:
        row = self._matcher.get_category(place)
        given = _get_given_fields(category, CATEGORY_FIELDS)
        if row is None:
            columns = {"position": place, **given}
        else:
            columns = {name: value for name, value in given.items() if getattr(row, name) != value}
        planned = PlannedCategory(row.id if row else None, category.name, self._document.get_line(path), columns)
        for number, item in enumerate(category.items):
            planned.items.append(self._plan_item(f"{path}.items.{number}", (place, number), item, planned.id))
        return planned

    def _plan_item(self, path: str, key: tuple[int, int], item: ImportedItem, category_id: int | None) -> PlannedItem:
        row = self._matcher.get_item(key)
        before = Decimal(money.to_decimal_string(row.price_minor, self._terms.currency)) if row else None
        planned = PlannedItem(row.id if row else None, item.name, self._document.get_line(path), before, row)
        given = _get_given_fields(item, type(item).model_fields.keys() - {"variations", "extra_groups"})
        if not self._terms.counts_stock:
            given.pop("stock", None)
        if self._has_open_price(path, item):
            given.pop("price", None)
            if row is None:
                given |= {"price": Decimal(0), "is_active": False}
                self._warn_of_hidden(path, item.name)
        for name in (each.field for each in ITEM_FIELDS.values() if each.is_amount):
            self._check_amount(f"{path}.{name}", getattr(item, name))
        if row is None:
            planned.fields = {"position": key[1], **self._add_price(path, item, given)}
        else:
            planned.fields = {name: value for name, value in given.items() if not self._is_same(name, value, row)}
            if category_id is None or row.category_id != category_id:
                planned.fields["category_id"] = category_id
        self._plan_capability_fields(path, item, row, planned)
        self._plan_variants(path, item, row, planned)
        self._plan_groups(path, item, row, planned)
        return planned

    def _is_same(self, name: str, value: Any, row: Item) -> bool:
        """Return whether a given field equals the item's."""
        if name == "gallery":
            given = [(picture.url, picture.alt or row.name) for picture in value]
            return given == [(picture.url, picture.alt) for picture in row.gallery]
        field = ITEM_FIELDS[name]
        return bool(field.to_decimal(getattr(row, field.name), self._terms.currency) == value)

    def _add_price(self, path: str, item: ImportedItem, given: dict[str, Any]) -> dict[str, Any]:
        if "price" in given:
            return given
        variations = enumerate(item.variations or [])
        prices = [each.price for number, each in variations if not self._is_open(f"{path}.variations.{number}")]
        if not prices:
            self._problems.add(f"{path}.price", "This field is required.")
        return {**given, "price": min(prices, default=Decimal(0))}

    def _is_open(self, path: str) -> bool:
        return path in self._document.open_prices

    def _has_open_price(self, path: str, item: ImportedItem) -> bool:
        """Return whether an item has no fixed price, or only variations without one."""
        variations = range(len(item.variations or ()))
        has_only_open = item.price is None and all(self._is_open(f"{path}.variations.{each}") for each in variations)
        return self._is_open(path) or (bool(variations) and has_only_open)

    def _warn_of_hidden(self, path: str, name: str) -> None:
        message = f"{shorten(name)} has no fixed price. It is hidden until you set a price and activate it."
        self._warnings.append(MenuImportWarning(line=self._document.get_line(path), message=message))

    def _plan_capability_fields(self, path: str, item: ImportedItem, row: Item | None, planned: PlannedItem) -> None:
        """Plan the fields of the store's item capabilities that differ."""
        current = row.attributes if row else {}
        given = {name: value for name, value in (item.model_extra or {}).items() if value is not None}
        for name in given.keys() - self._fields - IGNORED_KEYS:
            self._problems.add(f"{path}.{shorten(name)}", NO_SUCH_FIELD)
        known = given.keys() & self._fields
        planned.attributes = dict(current)
        if not known:
            return
        try:
            planned.attributes = values = parse_values(self._terms.field_sets, given, current, _parse_fields)
        except ValidationFailed as error:
            for name, found in error.errors.items():
                for sentence in found:
                    self._problems.add(f"{path}.{name}", sentence)
            return
        if row is None:
            planned.more_fields = {name: values[name] for name in known & values.keys()}
        else:
            shown: dict[str, Any] = {}
            for each in self._terms.field_sets:
                shown |= complete_values(each.fields, current)
            # A value that says nothing is absent, and clears what the item has.
            planned.more_fields = {
                name: values.get(name, given[name]) for name in known if shown.get(name) != values.get(name)
            }

    def _plan_variants(self, path: str, item: ImportedItem, row: Item | None, planned: PlannedItem) -> None:
        if item.variations is None:
            return
        have = {variant.id: variant for variant in row.variants} if row else {}
        found = self._matcher.match_variants(path, item, row)
        for number, (variant, variant_id) in enumerate(zip(item.variations, found, strict=True)):
            columns = self._to_variant_columns(f"{path}.variations.{number}", variant)
            if self._is_open(f"{path}.variations.{number}"):
                del columns["price_minor"]
                if variant_id is None:
                    columns |= {"price_minor": 0, "is_active": False}
                    self._warn_of_hidden(f"{path}.variations.{number}", f"{item.name}, {variant.name}")
            if variant_id is None:
                position = len(have) + len([each for each in planned.variants if each.id is None])
                planned.variants.append(PlannedVariant(None, {"position": position, **columns}))
                continue
            differing = {name: value for name, value in columns.items() if getattr(have[variant_id], name) != value}
            if differing:
                planned.variants.append(PlannedVariant(variant_id, differing))
        if self._document.remove_missing:
            planned.removed_variants = [variant_id for variant_id in have if variant_id not in found]

    def _to_variant_columns(self, path: str, variant: ImportedVariant) -> dict[str, Any]:
        given = _get_given_fields(variant, [each.field for each in VARIANT_FIELDS])
        return {
            each.name: self._check_amount(f"{path}.{each.field}", given[each.field])
            if each.is_amount
            else each.to_column(path, given[each.field], self._terms.currency)
            for each in VARIANT_FIELDS
            if each.field in given
        }

    def _plan_groups(self, path: str, item: ImportedItem, row: Item | None, planned: PlannedItem) -> None:
        if item.extra_groups is None:
            return
        currency, removes = self._terms.currency, self._document.remove_missing
        current = [_to_current_group(group, currency) for group in row.groups] if row else []
        groups = [
            self._merge_group(f"{path}.extra_groups.{number}", group, _find_by_name(current, group.name))
            for number, group in enumerate(item.extra_groups)
        ]
        self._check_names(path, "extra_groups", [group.name for group in item.extra_groups])
        named = {group.id for group in groups}
        groups += [group for group in current if group.id not in named and not removes]
        if groups != current:
            planned.groups = groups

        if has_choices(groups):
            self._combos.append((path, planned, groups))

    def _check_combos(self, plan: ImportPlan) -> None:
        """Check the combos of the file against the menu as it will be."""
        if not self._combos:
            return
        bodies = {item.id: item.groups for item in plan.list_items() if item.id and item.groups is not None}
        for row in self._content.items:
            bodies.setdefault(row.id, [_to_current_group(group, self._terms.currency) for group in row.groups])
        candidates = {row.id: _to_candidate(row, bodies[row.id]) for row in self._content.items}
        extras = [extra for groups in bodies.values() for group in groups for extra in group.extras]
        parts = {extra.item_id for extra in extras if extra.item_id is not None}
        for path, planned, groups in self._combos:
            itself = {} if planned.row is None else {planned.row.id: _to_candidate(planned.row, groups)}
            for place, sentence in find_wrong_choices(groups, candidates | itself).items():
                self._problems.add(f"{path}.{place}", sentence)
            if planned.id in parts:
                self._problems.add(f"{path}.extra_groups", IS_PART_OF_COMBO)

    def _merge_group(self, path: str, group: ImportedGroup, current: ExtraGroupBody | None) -> ExtraGroupBody:
        have = list(current.extras) if current else []
        self._check_names(path, "extras", [extra.name for extra in group.extras])
        by_name = {extra.name.casefold(): extra for extra in reversed(have)}
        extras = []
        for number, extra in enumerate(group.extras):
            self._check_amount(f"{path}.extras.{number}.price", extra.price)
            same = by_name.get(extra.name.casefold())
            extras.append(_to_extra_body(same.id if same else None, extra))
        if not self._document.remove_missing:
            named = {extra.id for extra in extras}
            extras += [extra for extra in have if extra.id not in named]
        min_count = max(group.min, 1) if group.is_required else group.min
        if group.max is not None and group.max < min_count:
            sentence = f"{shorten(group.name)} requires at least {min_count}, but allows only {group.max}."
            self._problems.add(f"{path}.max", sentence)
        values = {each.field: getattr(group, each.field) for each in GROUP_FIELDS} | {"min": min_count}
        return _to_group_body(current.id if current else None, values, extras)

    def _check_amount(self, path: str, amount: Decimal | None) -> int | None:
        """Return the amount in minor units; report one that the currency cannot express."""
        if amount is None:
            return None
        try:
            return money.to_minor(amount, self._terms.currency)
        except ValueError as error:
            self._problems.add(path, str(error))
            return 0

    def _check_names(self, path: str, list_name: str, names: Iterable[str]) -> None:
        seen: set[str] = set()
        for number, name in enumerate(names):
            if name.casefold() in seen:
                self._problems.add(f"{path}.{list_name}.{number}.name", f"{shorten(name)} is already in this list.")
            seen.add(name.casefold())


def _parse_fields(field_set: FieldSet, given: Mapping[str, Any], errors: Errors) -> Mapping[str, Any]:
    try:
        return parse_fields(field_set.fields, given, errors)
    except Exception as error:
        raise CapabilityFailed(field_set.code, repr(error)) from error


def _get_given_fields(body: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the given values of these fields; null counts only for fields that can be cleared."""
    given = {name: getattr(body, name) for name in names if name in body.model_fields_set}
    return {name: value for name, value in given.items() if value is not None or name in CLEARABLE}


def _find_by_name(bodies: Iterable[Any], name: str) -> Any:
    return next((body for body in bodies if body.name.casefold() == name.casefold()), None)


def _to_candidate(item: Item, groups: Sequence[ExtraGroupBody]) -> Candidate:
    needs_choices = any(group.min > 0 for group in groups)
    return Candidate(item.name, {each.id for each in item.variants}, has_choices(groups), needs_choices)


def _to_current_group(group: ExtraGroup, currency: str) -> ExtraGroupBody:
    extras = [
        ExtraBody.model_construct(id=extra.id, **_to_values(EXTRA_FIELDS, extra, currency)) for extra in group.extras
    ]
    return _to_group_body(group.id, _to_values(GROUP_FIELDS, group, currency), extras)


def _to_group_body(group_id: int | None, values: Mapping[str, Any], extras: Sequence[ExtraBody]) -> ExtraGroupBody:
    is_required = values["min"] > 0
    return ExtraGroupBody.model_construct(id=group_id, is_required=is_required, extras=list(extras), **values)


def _to_extra_body(extra_id: int | None, extra: ImportedExtra) -> ExtraBody:
    values = {each.field: getattr(extra, each.field) for each in EXTRA_FIELDS}
    return ExtraBody.model_construct(id=extra_id, **values)


def _to_values(columns: Iterable[MenuField], record: Extra | ExtraGroup, currency: str) -> Mapping[str, Any]:
    return {each.field: each.to_decimal(getattr(record, each.name), currency) for each in columns}
