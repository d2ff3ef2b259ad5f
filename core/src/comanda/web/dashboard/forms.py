"""Forms of the dashboard: fields as the body of a route describes them, values of a browser as that route takes them.

    form = await visit.read_form("POST", "/restaurants/{id}/coupons", id=store_id)
    if (coupon := await form.submit()) is None:
        return await visit.render("coupons/dashboard/coupon.html", form=form)

Names of inputs are the paths that errors of the API have, such as ``items.0.quantity``. An input left empty means null
where the API takes null, and otherwise that the field is not given. A checkbox follows a hidden input of the same name
with the value ``false``, and a group of checkboxes one with an empty value, since browsers do not send unchecked ones.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from comanda.basics.errors import ComandaError, ValidationFailed
from comanda.contracts.requests.numbers import is_ambiguous, normalize_digits, parse_decimal, parse_id
from comanda.web.languages.sentences import translate_sentence
from comanda.web.languages.translations import gettext as _
from comanda.web.order_fields import to_words
from comanda.web.sign_in.sessions import CSRF_FIELD

Schema = Mapping[str, Any]
Submit = Callable[[Any], Awaitable[Any]]

# Refusals after which a page goes on with a sentence; of a service that does not answer, too, so that nothing is lost.
REFUSALS: Final = frozenset({402, 409, 413, 415, 422, 429, 503})
MAX_FIELDS: Final = 2000
MAX_DEPTH: Final = 6
INTEGER: Final = re.compile(r"-?[0-9]{1,18}")
LONG_TEXT: Final = 300
TEXT_KINDS: Final[Mapping[str, str]] = {
    "date": "date",
    "time": "time",
    "time-of-day": "time",
    "date-time": "datetime",
    "email": "email",
    "uri": "url",
    "password": "password",
}


@dataclass(frozen=True, slots=True)
class FormField:
    """One input: its kind, its value as the page shows it, its errors, and what the schema says of it.

    ``kind`` is one of text, textarea, number, integer, boolean, choice, choices, date, time, datetime, email, url,
    password. ``choices`` are values with labels.
    """

    name: str
    kind: str
    value: Any
    errors: tuple[str, ...]
    is_required: bool
    choices: tuple[tuple[str, str], ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    max_length: int | None = None
    step: str | None = None
    description: str = ""


@dataclass(slots=True)
class Form:
    """The fields of a route's body, with values to show or values that a person has sent.

    ``errors`` are sentences by the path of their field, ``problem`` a sentence about the whole.
    """

    model: type[BaseModel] | None
    zone: ZoneInfo
    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)
    problem: str | None = None
    send: Submit | None = None
    _shown: set[str] = field(default_factory=set)

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the body, with references resolved one level at a time by ``get_field``."""
        return {} if self.model is None else _get_schema(self.model)

    @property
    def is_refused(self) -> bool:
        """Whether the form was sent and refused."""
        return bool(self.errors or self.problem)

    @property
    def errors_left(self) -> list[tuple[str, str]]:
        """The errors of fields that the page has not shown yet, with their names; read it after the fields."""
        return [(name, text) for name, texts in self.errors.items() if name not in self._shown for text in texts]

    def get_field(self, name: str) -> FormField:
        """Return the field with this path, such as ``code`` or ``items.0.quantity``."""
        self._shown.add(name)
        schema, is_required = _find_schema(self.schema, name.split("."))
        kind = _get_kind(schema)
        return FormField(
            name=name,
            kind=kind,
            value=self._get_shown_value(name, kind, schema),
            errors=tuple(self.errors.get(name, ())),
            is_required=is_required,
            choices=tuple((str(value), to_words(str(value))) for value in _list_choices(schema)),
            minimum=schema.get("minimum", schema.get("exclusiveMinimum")),
            maximum=schema.get("maximum", schema.get("exclusiveMaximum")),
            max_length=schema.get("maxLength"),
            step={"integer": "1", "number": "any"}.get(kind),
            description=str(schema.get("description", "")),
        )

    def get_value(self, name: str) -> Any:
        """Return the value of a field by its path, or None."""
        found: Any = self.values
        for step in name.split("."):
            if isinstance(found, Mapping):
                found = found.get(step)
            elif isinstance(found, Sequence) and not isinstance(found, str):
                position = parse_id(step)
                if position is None or position >= len(found):
                    return None
                found = found[position]
            else:
                return None
        return found

    async def submit(self) -> Any:
        """Send the values to the route and return its answer; None if it refuses them, with the errors in the form.

        An answer without a body is ``{}``. Raises errors that are not about what was sent, such as ``NotFound``.
        """
        if self.send is None:
            raise RuntimeError("Only a form that read_form has returned can be submitted.")
        try:
            answer = await self.send(self.values)
        except ValidationFailed as error:
            self.errors = {name: self._get_sentences(name, texts) for name, texts in error.errors.items()}
            self.problem = None if error.errors else translate_sentence(error.message)
        except ComandaError as error:
            if error.status not in REFUSALS:
                raise
            self.problem = translate_sentence(error.message)
        else:
            return {} if answer is None else answer
        return None

    def _get_sentences(self, name: str, texts: Sequence[str]) -> list[str]:
        """Return what is wrong with a field, and how to write a number that was not understood."""
        schema = _find_schema(self.schema, name.split("."))[0]
        value = self.get_value(name)
        if _get_kind(schema) == "number" and isinstance(value, str) and is_ambiguous(value):
            return [_("This could mean two amounts. Write it without separators of thousands, such as 1200 or 1.20.")]
        return [translate_sentence(text) for text in texts]

    def _get_shown_value(self, name: str, kind: str, schema: Schema) -> Any:
        value = self.get_value(name)
        if value is None and name not in self.values and not self.is_refused:
            value = schema.get("default")
        if kind == "datetime" and isinstance(value, datetime | str):
            return _to_local_time(value, self.zone)
        if kind == "time" and isinstance(value, time | str):
            return str(value)[:5]
        if kind in {"number", "integer"} and isinstance(value, float) and value.is_integer():
            return int(value)
        if kind == "choices":
            return [str(each) for each in value] if isinstance(value, list | tuple) else []
        return value


@dataclass(frozen=True, slots=True)
class _Reading:
    """How texts are read: times in ``zone``, amounts of a currency with so many ``decimals``."""

    zone: ZoneInfo
    decimals: int


def read_values(
    pairs: Iterable[tuple[str, str]], model: type[BaseModel] | None, zone: ZoneInfo, decimals: int = 2
) -> dict[str, Any]:
    """Return what a browser has sent as JSON values, by the schema of the model.

    Amounts are of a currency with so many ``decimals``.

    Texts that do not fit their field stay texts, so that the route says what is wrong. Names with a leading ``_`` are
    the page's own and left out.
    """
    schema = {} if model is None else _get_schema(model)
    tree: dict[str, Any] = {}
    for number, (name, text) in enumerate(pairs):
        steps = name.split(".")
        if number < MAX_FIELDS and name != CSRF_FIELD and not name.startswith("_") and len(steps) <= MAX_DEPTH:
            _insert(tree, steps, text)
    found = _convert(tree, schema, schema, _Reading(zone, decimals))
    return found if isinstance(found, dict) else {}


def _insert(tree: dict[str, Any], steps: Sequence[str], text: str) -> None:
    for step in steps[:-1]:
        tree = tree.setdefault(step, {}) if isinstance(tree.get(step, {}), dict) else {}
    texts = tree.setdefault(steps[-1], [])
    if isinstance(texts, list):
        texts.append(text)


class _Absent:
    """The value of an input that was left empty and means nothing."""


_ABSENT: Final = _Absent()


def _convert(node: Any, schema: Schema, root: Schema, reading: _Reading) -> Any:
    inner, is_nullable = _unwrap(schema, root)
    if isinstance(node, list):
        return _convert_texts(node, inner, root, reading, is_nullable=is_nullable)
    if inner.get("type") == "array" or (node and _are_positions(node) and "properties" not in inner):
        members = inner.get("items", {})
        rows = [
            _convert(node[name], members, root, reading) for name in sorted(node, key=lambda name: parse_id(name) or 0)
        ]
        return [row for row in rows if row is not _ABSENT]
    properties, others = inner.get("properties", {}), inner.get("additionalProperties", {})
    found = {}
    for name, child in node.items():
        value = _convert(child, properties.get(name, others if isinstance(others, Mapping) else {}), root, reading)
        if value is not _ABSENT:
            found[name] = value
    return found


def _are_positions(names: Iterable[str]) -> bool:
    return all(parse_id(name) is not None for name in names)


def _convert_texts(texts: list[str], schema: Schema, root: Schema, reading: _Reading, *, is_nullable: bool) -> Any:
    if schema.get("type") == "array":
        members, _ = _unwrap(schema.get("items", {}), root)
        return [_convert_text(text, members, reading) for text in texts if text != ""]
    text = texts[-1]
    if text == "":
        if is_nullable:
            return None
        return "" if schema.get("type") == "string" and not _is_formatted(schema) else _ABSENT
    return _convert_text(text, schema, reading)


def _convert_text(text: str, schema: Schema, reading: _Reading) -> Any:
    match _get_kind(schema):
        case "boolean":
            return {"true": True, "on": True, "false": False}.get(text, text)
        case "integer" if INTEGER.fullmatch(digits := normalize_digits(text.strip())):
            return int(digits)
        case "number":
            return to_number(text, schema.get("maximum"), reading.decimals)
        case "datetime":
            return _to_aware_time(text, reading.zone)
    if schema.get("type") == "string" or "enum" not in schema:
        return text.replace("\r\n", "\n")
    return next((value for value in schema["enum"] if str(value) == text), text)


def to_number(text: str, maximum: float | None = None, decimals: int = 2) -> int | float | str:
    """Return the number that a person has written; what is none, or could be two, stays a text, which routes refuse."""
    number = parse_decimal(text, maximum=maximum, decimals=decimals)
    if number is None:
        return text
    return int(number) if number == number.to_integral_value() else float(number)


def _is_formatted(schema: Schema) -> bool:
    return "enum" in schema or "format" in schema or "const" in schema


def _to_aware_time(text: str, zone: ZoneInfo) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).isoformat()


def _to_local_time(value: datetime | str, zone: ZoneInfo) -> str:
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except ValueError:
        return str(value)
    return (moment.astimezone(zone) if moment.tzinfo else moment).strftime("%Y-%m-%dT%H:%M")


@cache
def _get_schema(model: type[BaseModel]) -> Schema:
    return model.model_json_schema(by_alias=True)


def _unwrap(schema: Schema, root: Schema) -> tuple[Schema, bool]:
    """Return a schema without references and without null, and whether null is allowed."""
    is_nullable = False
    for _depth in range(MAX_DEPTH):
        if "$ref" in schema:
            schema = {**root.get("$defs", {}).get(schema["$ref"].rpartition("/")[2], {}), **_without(schema, "$ref")}
        elif isinstance(options := schema.get("anyOf"), list):
            known = [option for option in options if option.get("type") != "null"]
            is_nullable = is_nullable or len(known) < len(options)
            schema = {**_pick(known), **_without(schema, "anyOf")}
        elif isinstance(parts := schema.get("allOf"), list) and len(parts) == 1:
            schema = {**parts[0], **_without(schema, "allOf")}
        else:
            break
    return schema, is_nullable


def _pick(options: Sequence[Schema]) -> Schema:
    """Return the one of several forms of a value that an input has: a number rather than its text."""
    numbers = [option for option in options if option.get("type") in {"number", "integer"}]
    return next(iter([*numbers, *options]), {})


def _without(schema: Schema, name: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != name}


def _find_schema(root: Schema, steps: Sequence[str]) -> tuple[Schema, bool]:
    """Return the schema of a field by its path, and whether it is required."""
    schema, is_required = root, False
    for step in steps:
        inner, _ = _unwrap(schema, root)
        if inner.get("type") == "array" and parse_id(step) is not None:
            schema, is_required = inner.get("items", {}), False
            continue
        others = inner.get("additionalProperties", {})
        schema = inner.get("properties", {}).get(step, others if isinstance(others, Mapping) else {})
        is_required = step in inner.get("required", ())
    found, is_nullable = _unwrap(schema, root)
    if found.get("type") == "array":
        found = {**found, "items": _unwrap(found.get("items", {}), root)[0]}
    return found, is_required and not is_nullable


def _get_kind(schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "array":
        return "choices" if "enum" in schema.get("items", {}) else "text"
    if kind == "boolean":
        return "boolean"
    if "enum" in schema:
        return "choice"
    if kind in {"integer", "number"}:
        return str(kind)
    if found := TEXT_KINDS.get(schema.get("format", "")):
        return found
    return "textarea" if schema.get("maxLength", 0) > LONG_TEXT else "text"


def _list_choices(schema: Schema) -> Sequence[Any]:
    found: Sequence[Any] = schema.get("enum") or schema.get("items", {}).get("enum") or ()
    return [value for value in found if value is not None]
