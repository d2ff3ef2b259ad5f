"""What crosses the wire: types that take what clients may send, and errors that people can read."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
)

from comanda import rates
from comanda.errors import BadRequest, ValidationFailed

M = TypeVar("M", bound=BaseModel)

# The largest integer that every JSON client can hold.
MAX_SAFE = 2**53


class Body(BaseModel):
    """Base of request bodies: unknown keys are ignored, so that older servers take newer clients."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class ExactBody(Body):
    """Base of bodies with ``ExactNumber`` or ``Percent`` fields, which are read from the text of the JSON number."""


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    return value


def _exact(value: Any) -> Any:
    """Return a float as its shortest decimal; numbers of an ExactBody are decimals already."""
    value = _no_boolean(value)
    return Decimal(repr(value)) if isinstance(value, float) else value


def _four_decimals(percent: Decimal) -> Decimal:
    rates.to_ppm(percent)
    return percent


def _clean(text: str) -> str:
    """Normalise to NFC and drop control characters other than line breaks and tabs."""
    if text.isascii() and text.isprintable():
        return text.strip()
    composed = unicodedata.normalize("NFC", text)
    if len(composed) > len(text):
        # A few letters grow when they are normalised, past the length that has been checked: they stay as they came.
        composed = text
    kept = (mark for mark in composed if mark in "\n\t" or unicodedata.category(mark) != "Cc")
    return "".join(kept).strip()


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must be a time between the years 1 and 9999 in UTC") from error


def _not_blank(text: str) -> str:
    if not text:
        raise ValueError("must not be blank")
    return text


Id = Annotated[int, BeforeValidator(_no_boolean), Field(ge=1, le=MAX_SAFE)]
Whole = Annotated[int, BeforeValidator(_no_boolean), Field(ge=-MAX_SAFE, le=MAX_SAFE)]
Count = Annotated[int, BeforeValidator(_no_boolean), Field(ge=0, le=2**31 - 1)]
Number = Annotated[float, BeforeValidator(_no_boolean), Field(ge=-MAX_SAFE, le=MAX_SAFE)]
# A number that is never a float: in bodies that derive from ExactBody it is exactly what the client wrote.
ExactNumber = Annotated[
    Decimal,
    Field(ge=-MAX_SAFE, le=MAX_SAFE),
    BeforeValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": -MAX_SAFE, "maximum": MAX_SAFE}),
]
# A rate in percent; services turn it into parts per million with comanda.rates.
Percent = Annotated[
    Decimal,
    Field(ge=0, le=100),
    BeforeValidator(_exact),
    AfterValidator(_four_decimals),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100}),
]
# An amount in the currency's own unit, such as 12.5 euro; services turn it into minor units.
Amount = Annotated[float, BeforeValidator(_no_boolean), Field(ge=0, le=10**10)]
Text = Annotated[str, Field(max_length=2000), AfterValidator(_clean)]
Name = Annotated[str, Field(max_length=255), AfterValidator(_clean), AfterValidator(_not_blank)]
ShortText = Annotated[str, Field(max_length=255), AfterValidator(_clean)]
# A moment with its offset, in UTC as every answer tells it.
Moment = Annotated[AwareDatetime, AfterValidator(_utc)]


def parse_body(model: type[M], raw: bytes) -> M:
    """Validate a JSON body; an empty one reads as an empty object.

    Raises ``BadRequest`` for what is not JSON and ``ValidationFailed`` for JSON that does not fit.
    """
    try:
        found = model.model_validate_json(raw or b"{}")
        return model.model_validate(_exact_document(raw)) if raw and issubclass(model, ExactBody) else found
    except ValidationError as error:
        if any(problem["type"] == "json_invalid" for problem in error.errors(include_url=False, include_input=False)):
            raise BadRequest(f"The body is not valid JSON: {_json_problem(error)}.") from error
        raise ValidationFailed(sentences(error)) from error


def _exact_document(raw: bytes) -> Any:
    """Parse JSON that pydantic has accepted, keeping the numbers as they were written, for pydantic reads floats."""
    return json.loads(raw, parse_float=_decimal)


def _decimal(text: str) -> Decimal | float:
    # An exponent could ask for a number of a billion digits.
    return float(text) if "e" in text.lower() else Decimal(text)


def parse_query(model: type[M], query: Mapping[str, str]) -> M:
    """Validate the query. Raises ``ValidationFailed``."""
    try:
        return model.model_validate(dict(query))
    except ValidationError as error:
        raise ValidationFailed(sentences(error)) from error


def sentences(error: ValidationError) -> dict[str, list[str]]:
    """Turn pydantic's findings into dotted paths and sentences."""
    found: dict[str, list[str]] = {}
    for problem in error.errors(include_url=False):
        path = ".".join(str(step) for step in problem["loc"]) or "body"
        sentence = _sentence(problem["type"], problem["msg"], problem.get("ctx", {}))
        if sentence not in found.setdefault(path, []):
            found[path].append(sentence)
    return found


def _json_problem(error: ValidationError) -> str:
    message = error.errors(include_url=False, include_input=False)[0]["msg"]
    return message.removeprefix("Invalid JSON: ").rstrip(".")


_WORDING = {
    "missing": "This field is required.",
    "string_type": "Must be a string.",
    "int_type": "Must be a whole number.",
    "int_parsing": "Must be a whole number.",
    "int_parsing_size": "This number is too large.",
    "int_from_float": "Must be a whole number.",
    "float_type": "Must be a number.",
    "float_parsing": "Must be a number.",
    "finite_number": "Must be a finite number.",
    "bool_type": "Must be true or false.",
    "bool_parsing": "Must be true or false.",
    "list_type": "Must be a list.",
    "dict_type": "Must be an object.",
    "model_type": "Must be an object.",
    "model_attributes_type": "Must be an object.",
    "date_from_datetime_parsing": "Must be a date such as 2026-02-28.",
    "date_parsing": "Must be a date such as 2026-02-28.",
    "datetime_parsing": "Must be a time such as 2026-02-28T18:30:00+00:00.",
    "datetime_from_date_parsing": "Must be a time such as 2026-02-28T18:30:00+00:00.",
    "date_type": "Must be a valid date.",
    "datetime_type": "Must be a time such as 2026-02-28T18:30:00+00:00.",
    "datetime_object_invalid": "Must be a time such as 2026-02-28T18:30:00+00:00.",
    "time_type": "Must be a time of day such as 18:30.",
    "time_parsing": "Must be a time of day such as 18:30.",
    "decimal_type": "Must be a number.",
    "decimal_parsing": "Must be a number.",
    "mapping_type": "Must be an object.",
    "set_type": "Must be a list.",
    "frozen_set_type": "Must be a list.",
    "tuple_type": "Must be a list.",
    "string_sub_type": "Must be a string.",
    "string_unicode": "Must be a string of Unicode characters.",
    "extra_forbidden": "There is no such field.",
    "union_tag_not_found": "This field is required.",
    "timezone_aware": "This time needs a UTC offset, such as +00:00.",
}


_BOUNDS = {
    "too_short": "Must contain at least {min_length} item{s}.",
    "too_long": "Must contain at most {max_length} item{s}.",
    "string_too_short": "Must have at least {min_length} character{s}.",
    "string_too_long": "Must have at most {max_length} character{s}.",
    "greater_than_equal": "Must be {ge} or more.",
    "less_than_equal": "Must be {le} or less.",
    "greater_than": "Must be more than {gt}.",
    "less_than": "Must be less than {lt}.",
    "string_pattern_mismatch": "Must match the pattern {pattern}.",
}
# Values within pydantic's list of them, which names members of enumerations by their Python names.
_QUOTED = re.compile(r"'([^']*)'")


def _sentence(kind: str, message: str, context: Mapping[str, Any]) -> str:
    if kind in _WORDING:
        return _WORDING[kind]
    if context.get("field_type") == "Value":
        # A text's length that is checked after the text was cleaned.
        kind = f"string_{kind}"
    if kind in _BOUNDS:
        most = context.get("max_length", context.get("min_length"))
        return _BOUNDS[kind].format(**context, s="" if most == 1 else "s")
    if kind in {"enum", "literal_error"}:
        expected = str(context["expected"])
        return f"Must be one of: {', '.join(_QUOTED.findall(expected)) or expected.replace(' or ', ', ')}."
    if kind == "value_error":
        return _capitalised(f"{context['error']}")
    if kind.endswith(("_type", "_parsing")):
        # What is left of these tells of Python's types.
        return "Must be of another type."
    return _capitalised(message.replace("Input should", "must").replace("should have", "must have"))


def _capitalised(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
