"""Corrections to the JSON Schemas that pydantic writes, shared by OpenAPI and the schemas of MCP tools."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Schema = dict[str, Any]

# A bound that narrows a type with a validator of its own is written by pydantic under its Python name.
BOUNDS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "ge": ("minimum", max),
    "le": ("maximum", min),
    "gt": ("exclusiveMinimum", max),
    "lt": ("exclusiveMaximum", min),
    "min_length": ("minLength", max),
    "max_length": ("maxLength", min),
}
RANGES = (("minimum", "exclusiveMinimum", max), ("maximum", "exclusiveMaximum", min))


# What pydantic writes of decimals beside their bounds; JSON Schema has no such keywords.
UNKNOWN = frozenset({"max_digits", "decimal_places"})


def with_standard_bounds(schema: Schema) -> Schema:
    """Return one level of a schema with its bounds under JSON Schema's names, the tighter one where both stand."""
    kept = {key: value for key, value in schema.items() if key not in BOUNDS and key not in UNKNOWN}
    for key in BOUNDS.keys() & schema.keys():
        name, tighter = BOUNDS[key]
        kept[name] = tighter(kept.get(name, schema[key]), schema[key])
    for inclusive, exclusive, tighter in RANGES:
        if inclusive in kept and exclusive in kept:
            # Of two bounds on one side, the other says nothing more.
            is_inclusive = tighter(kept[inclusive], kept[exclusive]) != kept[exclusive]
            del kept[exclusive if is_inclusive else inclusive]
    return kept


def standardized(node: Any) -> Any:
    """Return a schema, or anything that holds schemas, with standard bounds at every level and no default of null.

    Leaving a field out says the same as that default, which generators of clients take for a value.
    The names of properties and what stands in examples and defaults are data, and stay as they are.
    """
    if isinstance(node, list):
        return [standardized(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _standardized_values(value) if key in {"properties", "$defs"} else _standardized_value(key, value)
        for key, value in with_standard_bounds(node).items()
        if (key, value) != ("default", None)
    }


def _standardized_values(named: Mapping[str, Any]) -> Schema:
    return {name: standardized(schema) for name, schema in named.items()}


def _standardized_value(key: str, value: Any) -> Any:
    return value if key in {"example", "examples", "default", "const", "enum"} else standardized(value)


def references(node: Any) -> Iterator[str]:
    """Yield every ``$ref`` in a document."""
    if isinstance(node, list):
        for one in node:
            yield from references(one)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
