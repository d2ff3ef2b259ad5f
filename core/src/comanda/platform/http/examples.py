"""Examples of request bodies, generated from their schemas.

A field's example is the first of its ``examples`` (``Field(examples=[...])``), else the usual one for its name, else
one for its type. A body with rules across its fields declares its own example:
``model_config = ConfigDict(json_schema_extra={"examples": [{...}]})``.
"""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics.json_schema import Schema

EXAMPLES_BY_NAME: Final[Mapping[str, Any]] = {
    "amount": 12.5,
    "device": "Till 1",
    "drawer": "Till 1",
    "email": "ana@example.com",
    "lat": 38.7223,
    "lng": -9.1393,
    "method": "cash",
    "name": "Ana Silva",
    "number": "12",
    "opening_float": 100.0,
    "password": "correct horse battery",
    "phone": "+351912345678",
    "pin": "4829",
    "seats": 4,
}

EXAMPLES_BY_FORMAT: Final[Mapping[str, str]] = {
    "date": "2027-06-01",
    "date-time": "2027-06-01T18:30:00+00:00",
    "time": "09:00",
    "email": "ana@example.com",
    "uri": "https://shop.example.com",
    "uuid": "6f1c1f0e-3d5b-4c39-9d6e-2f4d1c2b7a10",
}


class Examples:
    """Generates examples of schemas; references are looked up by name in ``definitions``."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def of(self, schema: Schema, name: str = "") -> Any:
        """Return an example for ``schema``; ``name`` is the name of its field."""
        schema = self._resolve(schema)
        if examples := schema.get("examples"):
            return examples[0]
        if (known := self._find_known(schema, name)) is not None:
            return known
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            return self._build_object(schema)
        if kind == "array":
            return [self.of(schema.get("items", {}))]
        return _build_scalar(schema)

    def _resolve(self, schema: Schema) -> Schema:
        while True:
            if "$ref" in schema:
                schema = {**self._definitions[schema["$ref"].rpartition("/")[2]], **_remove_keys(schema, "$ref")}
            elif options := schema.get("anyOf") or schema.get("oneOf"):
                first = next((one for one in options if one.get("type") != "null"), options[0])
                schema = {**first, **_remove_keys(schema, "anyOf", "oneOf", "default", "discriminator")}
            else:
                return schema

    def _find_known(self, schema: Schema, name: str) -> Any:
        for key in ("const", "enum"):
            if key in schema:
                return schema[key] if key == "const" else schema[key][0]
        usual = EXAMPLES_BY_NAME.get(name)
        return usual if usual is not None and _is_valid_for(usual, schema) else None

    def _build_object(self, schema: Schema) -> dict[str, Any]:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        required = set(schema.get("required", ()))
        chosen = {
            name: field
            for name, field in properties.items()
            if name in required or self._has_known_example(name, field)
        }
        # An object without required fields and known examples shows its first field.
        return {name: self.of(field, name) for name, field in (chosen or dict(list(properties.items())[:1])).items()}

    def _has_known_example(self, name: str, field: Schema) -> bool:
        """Return whether an optional field belongs in the example of its object."""
        return "examples" in field or (
            name in EXAMPLES_BY_NAME and _is_valid_for(EXAMPLES_BY_NAME[name], self._resolve(field))
        )


def _remove_keys(schema: Schema, *keys: str) -> Schema:
    return {key: value for key, value in schema.items() if key not in keys}


def _is_valid_for(value: Any, schema: Schema) -> bool:
    kinds: Mapping[str, tuple[type, ...]] = {"string": (str,), "number": (int, float), "integer": (int,)}
    if not isinstance(value, kinds.get(schema.get("type", ""), ())):
        return False
    if isinstance(value, str):
        return len(value) <= schema.get("maxLength", len(value)) and "pattern" not in schema and "format" not in schema
    return True


def _build_scalar(schema: Schema) -> Any:
    kind = schema.get("type")
    if kind == "string":
        return EXAMPLES_BY_FORMAT.get(schema.get("format", ""), "text"[: schema.get("maxLength", 4)])
    if kind in {"integer", "number"}:
        return max(1, schema.get("minimum", 1))
    return True if kind == "boolean" else {}
