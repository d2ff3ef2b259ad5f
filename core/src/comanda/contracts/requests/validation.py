"""Validation of bodies and queries, with errors in plain sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from comanda.basics.errors import BadRequest, ValidationFailed
from comanda.contracts.requests.fields import ExactBody

M = TypeVar("M", bound=BaseModel)


def parse_body(model: type[M], raw: bytes) -> M:
    """Validate a JSON body; an empty one counts as ``{}``.

    Raises ``BadRequest`` for invalid JSON and ``ValidationFailed`` for JSON that does not match the model.
    """
    try:
        found = model.model_validate_json(raw or b"{}")
        return model.model_validate(_exact_document(raw)) if raw and issubclass(model, ExactBody) else found
    except ValidationError as error:
        if any(problem["type"] == "json_invalid" for problem in error.errors(include_url=False, include_input=False)):
            raise BadRequest(f"The body is not valid JSON: {_json_problem(error)}.") from error
        raise ValidationFailed(error_sentences(error)) from error


def validate_values(model: type[M], values: object) -> M:
    """Validate a body that is JSON values already. Raises ``ValidationFailed``."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise ValidationFailed(error_sentences(error)) from error


def _exact_document(raw: bytes) -> Any:
    """Parse JSON that pydantic has accepted, preserving number literals, which pydantic turns into floats."""
    return json.loads(raw, parse_float=_decimal)


def _decimal(text: str) -> Decimal | float:
    # An exponent could require a billion digits.
    return float(text) if "e" in text.lower() else Decimal(text)


def parse_query(model: type[M], query: Mapping[str, str]) -> M:
    """Validate a query, ignoring empty values of optional fields, as forms send. Raises ``ValidationFailed``."""
    given = dict(query)
    if "" in given.values():
        optional = {field.alias or name for name, field in model.model_fields.items() if not field.is_required()}
        given = {name: value for name, value in given.items() if value or name not in optional}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise ValidationFailed(error_sentences(error)) from error


def error_sentences(error: ValidationError) -> dict[str, list[str]]:
    """Convert pydantic's errors to sentences by dotted path."""
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
        # The length of a text is checked after cleaning.
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
        # pydantic's messages of the other types name Python types.
        return "Must be of another type."
    return _capitalised(message.replace("Input should", "must").replace("should have", "must have"))


def _capitalised(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
