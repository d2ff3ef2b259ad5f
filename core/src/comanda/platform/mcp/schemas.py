"""JSON Schemas of tools, in a form that every client supports: no references, and unions only where needed."""

from collections.abc import Mapping
from functools import cache

from annotated_types import MaxLen
from pydantic import BaseModel, TypeAdapter

from comanda.basics.json_schema import Schema, standardize_bounds
from comanda.contracts.requests.mcp import Arguments

# The fields of a refusal, in place of the fields of the result.
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
def build_arguments_schema(model: type[Arguments]) -> Schema:
    """Return the schema of the arguments of a tool.

    Raises ``ValueError`` for a field without a description, and for a model that contains itself.
    """
    schema = _SchemaSimplifier(model.model_json_schema(mode="validation"), is_input=True).schema()
    schema.pop("description", None)
    _require_descriptions(schema, "")
    _narrow_texts(schema, model)
    return {"type": "object", "properties": {}, "additionalProperties": False, **schema}


def _narrow_texts(schema: Schema, model: type[BaseModel]) -> None:
    # For strings with a cleaning validator pydantic writes the length of the type instead of that of the field.
    for name, field in model.model_fields.items():
        lengths = [bound.max_length for bound in field.metadata if isinstance(bound, MaxLen)]
        found = schema.get("properties", {}).get(name, {})
        if lengths and "maxLength" in found:
            found["maxLength"] = min(found["maxLength"], *lengths)


def build_result_schema(result: type) -> Schema:
    """Return the schema of the result of a tool, including refusals.

    Some clients validate refusals against this schema too and would show the agent a schema error instead of ours: so
    no field is required at the top level, and the fields of a refusal are among the properties.
    """
    schema = {
        key: value
        for key, value in build_strict_result_schema(result).items()
        if key not in {"required", "additionalProperties"}
    }
    return {**schema, "properties": {**REFUSAL, **schema.get("properties", {})}}


@cache
def build_strict_result_schema(result: type) -> Schema:
    """Return the schema of a successful result. Raises ``ValueError`` if it is not an object."""
    schema = _SchemaSimplifier(TypeAdapter(result).json_schema(mode="serialization"), is_input=False).schema()
    schema.pop("description", None)
    if schema.get("type") != "object":
        raise ValueError("the result is not an object")
    return schema


class _SchemaSimplifier:
    def __init__(self, whole: Schema, *, is_input: bool) -> None:
        self._whole = whole
        self._is_input = is_input
        self._open: list[str] = []

    def schema(self) -> Schema:
        return self._simplify(self._whole)

    def _simplify(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            return self._inline_reference(schema)
        if "anyOf" in schema:
            return self._simplify_union(schema)
        kept = standardize_bounds(
            {key: value for key, value in schema.items() if key not in {"title", "$defs", "discriminator"}}
        )
        if kept.get("default", ...) is None:
            del kept["default"]
        for key in ("items", "additionalProperties"):
            if isinstance(kept.get(key), dict):
                kept[key] = self._simplify(kept[key])
        for key in ("oneOf", "allOf", "prefixItems"):
            if key in kept:
                kept[key] = [self._simplify(one) for one in kept[key]]
        if "properties" in kept:
            kept = self._simplify_object(kept)
        return kept

    def _simplify_object(self, schema: Schema) -> Schema:
        required = schema.get("required", [])
        properties = {
            name: self._simplify_property(inner, is_required=name in required)
            for name, inner in schema["properties"].items()
        }
        return {**schema, "properties": properties, **({"additionalProperties": False} if self._is_input else {})}

    def _simplify_property(self, schema: Schema, *, is_required: bool) -> Schema:
        if self._is_input and not is_required and schema.get("default", ...) is None and "anyOf" in schema:
            # Leaving the field out means the same, and many clients do not support unions.
            schema = {**schema, "anyOf": [one for one in schema["anyOf"] if one != {"type": "null"}]}
        return self._simplify(schema)

    def _inline_reference(self, schema: Schema) -> Schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in self._open:
            raise ValueError(f"{name} contains itself")
        self._open.append(name)
        found = self._simplify(self._whole["$defs"][name])
        self._open.pop()
        return {**found, **self._simplify({key: value for key, value in schema.items() if key != "$ref"})}

    def _simplify_union(self, schema: Schema) -> Schema:
        beside = self._simplify({key: value for key, value in schema.items() if key != "anyOf"})
        options = [self._simplify(one) for one in schema["anyOf"]]
        kinds = [one for one in options if one != {"type": "null"}]
        if len(kinds) == 1 and len(options) == 1:
            return {**kinds[0], **beside}
        if len(kinds) == 1 and isinstance(kinds[0].get("type"), str):
            return {**_make_nullable(kinds[0]), **beside}
        return {"anyOf": options, **beside}


def _make_nullable(schema: Schema) -> Schema:
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
