"""JSON Schemas as lists of fields that people read: types in words, limits, choices, and fields inside of fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from comanda.basics.json_schema import Schema

# Below this depth, an object is named and no longer unfolded.
MAX_DEPTH: Final = 6
# Bounds of what JSON numbers can hold say nothing about a field.
MAX_EXACT_INTEGER: Final = 2**53 - 1
LIMITS: Final = (
    ("minimum", "≥ {}"),
    ("exclusiveMinimum", "> {}"),
    ("maximum", "≤ {}"),
    ("exclusiveMaximum", "< {}"),
    ("minLength", "characters: at least {}"),
    ("maxLength", "characters: at most {}"),
    ("minItems", "entries: at least {}"),
    ("maxItems", "entries: at most {}"),
    ("minProperties", "keys: at least {}"),
    ("maxProperties", "keys: at most {}"),
    ("multipleOf", "a multiple of {}"),
)


@dataclass(slots=True)
class SchemaField:
    """A field. ``model`` names the object that it is or has entries of; ``fields`` are those of that object.

    ``is_repeated`` is set where the object contains itself, or is too deep to be unfolded again, and ``anchor`` where
    the page has the object in a place of its own. ``options`` are the objects of which the value is one.
    """

    name: str
    type: str
    is_required: bool = False
    is_nullable: bool = False
    description: str = ""
    default: Any = None
    has_default: bool = False
    limits: list[str] = field(default_factory=list)
    pattern: str | None = None
    choices: list[Any] = field(default_factory=list)
    model: str | None = None
    fields: list[SchemaField] = field(default_factory=list)
    options: list[SchemaField] = field(default_factory=list)
    is_repeated: bool = False
    anchor: str | None = None


class SchemaReader:
    """Reads schemas whose references are looked up in ``definitions``; objects with an anchor are not unfolded."""

    def __init__(self, definitions: Mapping[str, Schema], anchors: Mapping[str, str] | None = None) -> None:
        self._definitions = definitions
        self._anchors = anchors or {}

    def list_fields(self, schema: Schema, seen: tuple[str, ...] = ()) -> list[SchemaField]:
        """List the fields of an object, also of one that is linked elsewhere; nothing for another type."""
        schema, name, _ = self._resolve(schema)
        seen = (*seen, name) if name else seen
        required = set(schema.get("required", ()))
        return [
            self.read(one, label, is_required=label in required, seen=seen)
            for label, one in schema.get("properties", {}).items()
        ]

    def read(
        self, schema: Schema, name: str = "", *, is_required: bool = False, seen: tuple[str, ...] = ()
    ) -> SchemaField:
        """Return a schema as a field; ``seen`` are the names of the objects around it."""
        plain, model, is_nullable = self._resolve(schema)
        choices = plain.get("enum") or ([plain["const"]] if "const" in plain else [])
        found = SchemaField(
            name,
            _to_type(plain),
            is_required=is_required,
            is_nullable=is_nullable,
            # The title of an inner model says what a choice is; the field's own description is about the field.
            description=schema.get("description") or plain.get("description") or "",
            default=plain.get("default", schema.get("default")),
            has_default="default" in plain or "default" in schema,
            limits=list(_list_limits(plain)),
            pattern=plain.get("pattern"),
            choices=choices,
        )
        self._add_contents(found, plain, model, seen)
        return found

    def _add_contents(self, found: SchemaField, plain: Schema, model: str | None, seen: tuple[str, ...]) -> None:
        options = plain.get("anyOf") or plain.get("oneOf")
        if options:
            found.options = [self.read(option, seen=seen) for option in options]
            found.type = " or ".join(dict.fromkeys(option.type for option in found.options))
            if not any(option.fields or option.choices or option.is_repeated for option in found.options):
                found.options = []
        elif plain.get("type") == "array":
            entry = self.read(plain.get("items", {}), seen=seen)
            found.type = f"array of {_to_plural(entry.type)}"
            found.model, found.fields, found.options = entry.model, entry.fields, entry.options
            found.is_repeated, found.anchor = entry.is_repeated, entry.anchor
            found.choices = found.choices or entry.choices
            found.limits += [] if entry.fields else [f"each {limit}" for limit in entry.limits]
        elif isinstance(plain.get("additionalProperties"), dict):
            entry = self.read(plain["additionalProperties"], seen=seen)
            found.type = f"map of strings to {_to_plural(entry.type)}"
            found.model, found.fields, found.anchor = entry.model, entry.fields, entry.anchor
        elif "properties" in plain:
            found.model = model
            found.anchor = self._anchors.get(model or "")
            if found.anchor is not None:
                return
            if len(seen) >= MAX_DEPTH or (model is not None and model in seen):
                found.is_repeated = True
            else:
                found.fields = self.list_fields(plain, (*seen, model) if model else (*seen, found.name))

    def _resolve(self, schema: Schema) -> tuple[Schema, str | None, bool]:
        """Return a schema without its reference and null, the name of what it referred to, and whether it has null."""
        model, is_nullable = None, False
        while True:
            if "$ref" in schema:
                model = schema["$ref"].rpartition("/")[2]
                schema = {**self._definitions[model], **{k: v for k, v in schema.items() if k != "$ref"}}
                continue
            key = "anyOf" if "anyOf" in schema else "oneOf"
            options = schema.get(key, ())
            others = [option for option in options if option.get("type") != "null"]
            is_nullable = is_nullable or len(others) < len(options)
            if len(others) == 1:
                schema = {**{k: v for k, v in schema.items() if k != key}, **others[0]}
                continue
            return ({**schema, key: others} if options else schema), model, is_nullable


def _to_type(schema: Schema) -> str:
    kind = schema.get("type")
    if "const" in schema:
        return "constant"
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "string" and "format" in schema:
        return {"date-time": "time", "binary": "file", "uri": "URL"}.get(schema["format"], str(schema["format"]))
    return str(kind or ("object" if "properties" in schema else "any value"))


def _to_plural(kind: str) -> str:
    if kind == "any value":
        return "any values"
    if kind.startswith("array of"):
        return kind.replace("array", "arrays", 1)
    return " or ".join(word if word.endswith("s") else f"{word}s" for word in kind.split(" or "))


def _list_limits(schema: Schema) -> Iterator[str]:
    for key, text in LIMITS:
        if key in schema and abs(schema[key]) < MAX_EXACT_INTEGER and (key, schema[key]) != ("minItems", 0):
            yield text.format(schema[key])
