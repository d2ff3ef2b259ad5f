"""What follows from the columns of a menu's records: statements, JSON, fields of bodies, and values to store."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cache
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, Field, create_model

from comanda.basics import money, rates
from comanda.basics.errors import ValidationFailed
from comanda.basics.money import Money
from comanda.basics.sentences import Sentence
from comanda.contracts.stores.menu_items import Code, Column, ExtraGroup

M = TypeVar("M", bound=BaseModel)
AMOUNT: Final = "_minor"
RATE: Final = "_ppm"


@dataclass(frozen=True, slots=True)
class MenuField:
    """A field of a record with its ``Column``: ``name`` is the column's, ``field`` that of the API."""

    name: str
    field: str
    type: Any
    column: Column

    @property
    def is_nullable(self) -> bool:
        """Whether null means none; for other fields it means unchanged."""
        return NoneType in get_args(self.type)

    @property
    def is_amount(self) -> bool:
        """Whether it is an amount of money."""
        return self.name.endswith(AMOUNT)

    @property
    def is_rate(self) -> bool:
        """Whether it is a rate, which clients give in percent."""
        return self.name.endswith(RATE)

    def to_decimal(self, value: Any, currency: str) -> Any:
        """Return a stored value as imports give it: amounts and rates as decimals."""
        if value is None or not (self.is_amount or self.is_rate):
            return value
        text = money.to_decimal_string(value, currency) if self.is_amount else repr(rates.to_percent(value))
        return Decimal(text)

    def to_answer(self, value: Any, currency: str) -> Any:
        """Return a stored value as a record of answers has it: an amount with its currency."""
        return Money(value, currency) if value is not None and self.is_amount else value

    def to_column(self, path: str, value: Any, currency: str) -> Any:
        """Return a given value as it is stored. Raises ``ValidationFailed`` on ``path``."""
        if value is not None and self.is_amount:
            return money.parse_amount(value, currency, path)
        if self.column.given is Code:
            # A blank one means none, because SKUs must be unique.
            return value or None
        return rates.to_ppm(value) if value is not None and self.is_rate else value


@cache
def list_fields(record: type) -> Mapping[str, MenuField]:
    """Return the fields of a record that are columns by their names in the API, in the order of the record."""
    found = [
        _to_field(each.name, *get_args(each.type)[:2]) for each in fields(record) if get_origin(each.type) is Annotated
    ]
    return {each.field: each for each in found}


def _to_field(name: str, kind: Any, column: Column) -> MenuField:
    return MenuField(name, column.name or name.removesuffix(AMOUNT).removesuffix(RATE), kind, column)


def list_given(record: type) -> Sequence[MenuField]:
    """Return the fields of a record that clients give."""
    return [each for each in list_fields(record).values() if each.column.given is not None]


def list_imported(record: type) -> Sequence[MenuField]:
    """Return the fields of a record that files have."""
    return [each for each in list_given(record) if each.column.is_imported]


def list_clearable(*records: type) -> frozenset[str]:
    """Return the fields that null clears; for the others it means unchanged."""
    return frozenset(each.field for record in records for each in list_given(record) if each.is_nullable)


def build_object(record: type, table: str, *more: str, without: str = "", **values: str) -> str:
    """Return a JSON object of a record's columns ``without`` one, ``more`` columns and ``values``.

    It stands in a statement that has ``table``.
    """
    names = [*(each.name for each in list_fields(record).values() if each.name != without), *more]
    columns = {name: f"{table}.{name}" for name in names} | values
    pairs = ", ".join(f"'{name}', {value}" for name, value in columns.items())
    return f"json_build_object({pairs})"


def build_reader(record: type) -> Callable[[Mapping[str, Any]], Any]:
    """Return a function that returns the values of a record's fields from a row."""
    return itemgetter(*(each.name for each in fields(record)))


def list_shown(record: type, *, is_public: bool = False) -> Sequence[MenuField]:
    """Return the fields of a record that clients see whatever the vertical: owners, or guests too."""
    return [
        each
        for each in list_fields(record).values()
        if not each.column.capability and (each.column.is_public if is_public else each.column.is_shown)
    ]


def build_json(
    record: type, shown: Sequence[MenuField], *more: str, to_amount: Callable[[int, str], Any] = money.to_number
) -> Callable[[Any, str], Mapping[str, Any]]:
    """Return a function that returns the JSON of a record, with amounts in a currency.

    It has the fields that are ``shown`` and, as they are, the ``more`` ones that the caller replaces.
    """
    keys = {each.name: each.field for each in shown} | {name: name for name in more}
    names = [each.name for each in fields(record) if each.name in keys]
    amounts = [each.field for each in shown if each.is_amount]
    percents = [each.field for each in shown if each.is_rate]
    get_values = attrgetter(*names)
    ordered = [keys[name] for name in names]

    def to_json(found: Any, currency: str) -> Mapping[str, Any]:
        made = dict(zip(ordered, get_values(found), strict=True))
        for key in amounts:
            if made[key] is not None:
                made[key] = to_amount(made[key], currency)
        for key in percents:
            if made[key] is not None:
                made[key] = rates.to_percent(made[key])
        return made

    return to_json


def to_columns(
    record: type, body: BaseModel, currency: str, path: str = "", *, is_whole: bool = False
) -> dict[str, Any]:
    """Return the columns for the given fields of a body, or with ``is_whole`` for all of its fields.

    Raises ``ValidationFailed``, with keys that begin with ``path``.
    """
    known = type(body).model_fields if is_whole else body.model_fields_set
    values = [(each, getattr(body, each.field)) for each in list_given(record) if each.field in known]
    return {
        each.name: each.to_column(f"{path}{each.field}", value, currency)
        for each, value in values
        if value is not None or each.is_nullable
    }


def to_group_columns(path: str, body: Any, currency: str) -> dict[str, Any]:
    """Return the columns of a group. Raises ``ValidationFailed``, with keys that begin with ``path``."""
    min_count = max(body.min, 1) if body.is_required else body.min
    if body.max is not None and body.max < min_count:
        raise ValidationFailed(
            {
                f"{path}.max": [
                    Sentence(
                        "%(name)s requires at least %(least)s, but allows only %(most)s.",
                        name=body.name,
                        least=min_count,
                        most=body.max,
                    )
                ]
            }
        )
    return to_columns(ExtraGroup, body, currency, is_whole=True) | {"min_count": min_count}


def create_body(record: type, *, is_new: bool = True) -> Callable[[type[M]], type[M]]:
    """Return a decorator that adds the fields of a record that clients give to a body.

    Those of a body that ``is_new`` have their defaults; in others every field may be left out. What a body declares
    itself stays as it is.
    """
    return _add_fields(record, {each.field: _to_given(each, is_new=is_new) for each in list_given(record)})


def create_bulk_body(record: type) -> Callable[[type[M]], type[M]]:
    """Return a decorator that adds the fields that can be changed in many records at once to a body."""
    bulk = [each for each in list_given(record) if each.column.is_bulk]
    return _add_fields(record, {each.field: _to_given(each, is_new=False) for each in bulk})


def create_imported(record: type, amount: Any, rate: Any, *, is_new: bool = True) -> Callable[[type[M]], type[M]]:
    """Return a decorator that adds the fields of a record in a file to a body, with types of amounts and rates."""
    found = {}
    for each in list_imported(record):
        given = amount if each.is_amount else rate if each.is_rate else each.column.given
        found[each.field] = _to_given(each, given, is_new=is_new)
    return _add_fields(record, found)


def create_arguments(record: type) -> Callable[[type[M]], type[M]]:
    """Return a decorator that adds the fields that agents may give of a new record to arguments."""
    found = {}
    for each in list_given(record):
        if text := each.column.description:
            given, default = _to_given(each)
            found[each.field] = (given, Field(default, description=text))
    return _add_fields(record, found)


def create_answer(record: type, *, is_public: bool) -> Callable[[type[M]], type[M]]:
    """Return a decorator that adds the columns that clients see whatever the vertical to an answer."""
    shown = list_shown(record, is_public=is_public)
    return _add_fields(record, {each.field: (_to_shown_type(each), ...) for each in shown})


def _to_given(field: MenuField, given: Any = None, *, is_new: bool = True) -> tuple[Any, Any]:
    given = field.column.given if given is None else given
    if field.is_nullable or not is_new:
        return given | None, None
    return given, field.column.default


def _to_shown_type(field: MenuField) -> Any:
    if not (field.is_amount or field.is_rate):
        return field.type
    return float | None if field.is_nullable else float


def _add_fields(record: type, declared: Mapping[str, tuple[Any, Any]]) -> Callable[[type[M]], type[M]]:
    columns = {each.name: each.field for each in list_fields(record).values()}
    order = [columns.get(each.name, each.name) for each in fields(record)]

    def add(model: type[M]) -> type[M]:
        own = {name: (each.annotation, each) for name, each in model.model_fields.items()}
        found = {**declared, **own}
        ordered: dict[str, Any] = {name: found[name] for name in (*order, *found) if name in found}
        return create_model(
            model.__name__,
            __base__=cast("tuple[type[M], ...]", model.__bases__),
            __module__=model.__module__,
            __doc__=model.__doc__,
            __cls_kwargs__=dict(model.model_config),
            **ordered,
        )

    return add
