"""Conversion of records into what clients receive.

Services return frozen dataclasses, and the record is the answer: its fields say by their types, such as ``Money`` and
those below, what they are on the wire, ``Field(exclude=True)`` keeps one to ourselves, and ``Field(exclude_if=…)``
leaves out a key instead of null. Where an answer has another form than every record, a route or a tool declares a
pydantic model, whose fields are filled from the attributes of the same names. A result that is JSON already, such as a
mapping of a hot path, is not converted.
"""

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final

from pydantic import AliasChoices, BaseModel, Field, PlainSerializer, TypeAdapter

from comanda.basics.money import Money
from comanda.basics.rates import to_percent

MoneyNumber = Annotated[Money, PlainSerializer(Money.to_number, return_type=float)]
"""A ``Money`` as a JSON number."""

MoneyText = Annotated[Money, PlainSerializer(Money.to_decimal_string, return_type=str)]
"""A ``Money`` as a decimal string, as in webhook data."""

PercentNumber = Annotated[int, PlainSerializer(to_percent, return_type=float)]
"""A rate in parts per million as a percentage."""

_STORE: Final = Field(validation_alias=AliasChoices("store_id", "restaurant_id"), serialization_alias="restaurant_id")

StoreId = Annotated[int, _STORE]
"""The ``store_id`` of a record, which the API calls ``restaurant_id``."""

NullableStoreId = Annotated[int | None, _STORE]
"""The ``store_id`` of a record that may concern all stores."""


def is_null(value: object) -> bool:
    """Return whether a field without a value is absent from the answer, for ``Field(exclude_if=…)``."""
    return value is None


_JSON_TYPES: Final = (dict, str, bytes, int, float)


def to_wire(declared: Any, result: object) -> Any:
    """Return a record, or a list of records, as the declared type describes it, and JSON unchanged.

    Raises ``pydantic.ValidationError`` for a record without a field that the type requires.
    """
    if result is None or isinstance(result, _JSON_TYPES):
        return result
    if isinstance(result, BaseModel):
        return result.model_dump(by_alias=True)
    if not _is_record(result):
        return result
    adapter = _get_adapter(declared)
    return adapter.dump_python(adapter.validate_python(result, from_attributes=True), by_alias=True)


def flatten(record: Any, *parts: str) -> dict[str, object]:
    """Return the fields of a record with those of its ``parts`` beside them, for an answer that does not nest them.

    A field of the record wins over one of the same name in a part.
    """
    found: dict[str, object] = {}
    for part in parts:
        found |= _to_fields(getattr(record, part))
    return found | _to_fields(record)


def _to_fields(record: Any) -> dict[str, object]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


@cache
def _get_adapter(declared: Any) -> TypeAdapter[Any]:
    # Built on first use: most routes of a process are never called.
    return TypeAdapter(declared)


def _is_record(result: object) -> bool:
    """Return whether a result has to be converted: a record, or a list of records."""
    if isinstance(result, list | tuple):
        return bool(result) and _is_record(result[0])
    return is_dataclass(result) and not isinstance(result, type)
