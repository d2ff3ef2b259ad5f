"""JSON Schemas of tools, in the plain form that every client understands: no references, no unions where avoidable."""

from collections.abc import Mapping
from functools import cache

from annotated_types import MaxLen
from pydantic import BaseModel

from comanda.contracts.mcp import Arguments
from comanda.json_schema import Schema, with_standard_bounds

# What a refusal carries instead of the tool's own fields.
REFUSAL: Mapping[str, Schema] = {
    "message": {"type": "string", "description": "In a refusal only: what went wrong, for people."},
    "code": {"type": "string", "description": "In a refusal only: what went wrong, for programs."},
    "errors": {
        "type": "object",
        "description": "With the code validation_failed only: sentences by the argument they are about.",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
    },
}


@cache
def arguments_schema(model: type[Arguments]) -> Schema:
    """Describe what a tool takes.

    Raises ``ValueError`` for a field without a description, and for a model that contains itself.
    """
    schema = _Plain(model.model_json_schema(mode="validation"), takes=True).schema()
    schema.pop("description", None)
    _require_descriptions(schema, "")
    _narrow_texts(schema, model)
    return {"type": "object", "properties": {}, "additionalProperties": False, **schema}


def _narrow_texts(schema: Schema, model: type[BaseModel]) -> None:
    # Of a text that is cleaned before it is measured, pydantic tells the type's own length and not the field's.
    for name, field in model.model_fields.items():
        lengths = [bound.max_length for bound in field.metadata if isinstance(bound, MaxLen)]
        found = schema.get("properties", {}).get(name, {})
        if lengths and "maxLength" in found:
            found["maxLength"] = min(found["maxLength"], *lengths)


@cache
def result_schema(model: type[BaseModel]) -> Schema:
    """Describe what a tool gives, a refusal included.

    Some clients hold refusals against this schema too, and would show an agent their own complaint in place of ours:
    so no field is required at the top, and those of a refusal are among the properties.
    """
    schema = strict_result_schema(model)
    schema.pop("required", None)
    schema.pop("additionalProperties", None)
    return {**schema, "properties": {**REFUSAL, **schema.get("properties", {})}}


def strict_result_schema(model: type[BaseModel]) -> Schema:
    """Describe what a tool gives when it succeeds. Raises ``ValueError`` for what is not an object."""
    schema = _Plain(model.model_json_schema(mode="serialization"), takes=False).schema()
    schema.pop("description", None)
    if schema.get("type") != "object":
        raise ValueError("the result is not an object")
    return schema


class _Plain:
    def __init__(self, whole: Schema, *, takes: bool) -> None:
        self._whole = whole
        self._takes = takes
        self._open: list[str] = []

    def schema(self) -> Schema:
        return self._of(self._whole)

    def _of(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            return self._inlined(schema)
        if "anyOf" in schema:
            return self._union(schema)
        kept = with_standard_bounds(
            {key: value for key, value in schema.items() if key not in {"title", "$defs", "discriminator"}}
        )
        if kept.get("default", ...) is None:
            del kept["default"]
        for key in ("items", "additionalProperties"):
            if isinstance(kept.get(key), dict):
                kept[key] = self._of(kept[key])
        for key in ("oneOf", "allOf", "prefixItems"):
            if key in kept:
                kept[key] = [self._of(one) for one in kept[key]]
        if "properties" in kept:
            kept = self._object(kept)
        return kept

    def _object(self, schema: Schema) -> Schema:
        required = schema.get("required", [])
        properties = {
            name: self._property(inner, is_required=name in required) for name, inner in schema["properties"].items()
        }
        return {**schema, "properties": properties, **({"additionalProperties": False} if self._takes else {})}

    def _property(self, schema: Schema, *, is_required: bool) -> Schema:
        if self._takes and not is_required and schema.get("default", ...) is None and "anyOf" in schema:
            # Leaving it out says the same, and many clients cannot offer a choice of types.
            schema = {**schema, "anyOf": [one for one in schema["anyOf"] if one != {"type": "null"}]}
        return self._of(schema)

    def _inlined(self, schema: Schema) -> Schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in self._open:
            raise ValueError(f"{name} contains itself")
        self._open.append(name)
        found = self._of(self._whole["$defs"][name])
        self._open.pop()
        return {**found, **self._of({key: value for key, value in schema.items() if key != "$ref"})}

    def _union(self, schema: Schema) -> Schema:
        beside = self._of({key: value for key, value in schema.items() if key != "anyOf"})
        options = [self._of(one) for one in schema["anyOf"]]
        kinds = [one for one in options if one != {"type": "null"}]
        if len(kinds) == 1 and len(options) == 1:
            return {**kinds[0], **beside}
        if len(kinds) == 1 and isinstance(kinds[0].get("type"), str):
            return {**_or_null(kinds[0]), **beside}
        return {"anyOf": options, **beside}


def _or_null(schema: Schema) -> Schema:
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    if "const" in schema:
        values = {"enum": [schema["const"], None]}
    kept = {key: value for key, value in schema.items() if key != "const"}
    return {**kept, **values, "type": [schema["type"], "null"]}


def _require_descriptions(schema: Schema, path: str) -> None:
    for name, inner in schema.get("properties", {}).items():
        if not inner.get("description"):
            raise ValueError(f"the argument {path}{name} has no description")
        _require_descriptions(inner, f"{path}{name}.")
    if isinstance(schema.get("items"), dict):
        _require_descriptions(schema["items"], path)
