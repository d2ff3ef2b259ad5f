"""Values of item capabilities by the models of their fields alone, in any process."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from comanda.basics.errors import ValidationFailed
from comanda.contracts.requests.validation import error_sentences

Errors = dict[str, list[str]]


class WithFields(Protocol):
    """An item capability, or what of it is needed to validate its fields."""

    @property
    def fields(self) -> type[BaseModel]: ...


C = TypeVar("C", bound=WithFields)


def parse_values(
    capabilities: Sequence[C],
    given: Mapping[str, Any],
    current: Mapping[str, Any],
    parse: Callable[[C, Mapping[str, Any], Errors], Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the fields of item capabilities as ``parse_attributes`` does; ``parse`` returns those of one of them."""
    known = {name for each in capabilities for name in each.fields.model_fields}
    values = {name: value for name, value in current.items() if name not in known}
    errors: Errors = {}
    for each in capabilities:
        values.update(parse(each, {**current, **given}, errors))
    if errors:
        raise ValidationFailed(errors)
    return values


def parse_fields(fields: type[BaseModel], given: Mapping[str, Any], errors: Errors) -> dict[str, Any]:
    """Return the given ones of the fields of a capability, and add what is wrong with them to ``errors``."""
    try:
        model = fields.model_validate(pick_values(given, fields.model_fields))
    except ValidationError as error:
        errors.update(error_sentences(error))
        return {}
    return model.model_dump(mode="json", exclude_unset=True)


def complete_values(fields: type[BaseModel], attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of the fields of an item capability, with their defaults."""
    # Stored values are valid; the model adds the defaults, which are the same for all items without values.
    if attributes.keys().isdisjoint(fields.model_fields):
        return _get_defaults(fields)
    return fields.model_validate(attributes).model_dump(mode="json")


@cache
def _get_defaults(model: type[BaseModel]) -> Mapping[str, Any]:
    return model().model_dump(mode="json")


def pick_values(values: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in names}
