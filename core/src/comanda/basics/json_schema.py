"""Corrections to the JSON Schemas that pydantic writes, shared by OpenAPI and the schemas of MCP tools."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Schema = dict[str, Any]

# Pydantic writes a bound under its Python name where it narrows a type that has its own validator.
BOUNDS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "ge": ("minimum", max),
    "le": ("maximum", min),
    "gt": ("exclusiveMinimum", max),
    "lt": ("exclusiveMaximum", min),
    "min_length": ("minLength", max),
    "max_length": ("maxLength", min),
}
RANGES = (("minimum", "exclusiveMinimum", max), ("maximum", "exclusiveMaximum", min))


# Keywords that pydantic writes for decimals and JSON Schema does not have.
NON_STANDARD_KEYWORDS = frozenset({"max_digits", "decimal_places"})


def standardize_bounds(schema: Schema) -> Schema:
    """Return one level of a schema with bounds under JSON Schema's names; of two, the tighter one is kept."""
    kept = {key: value for key, value in schema.items() if key not in BOUNDS and key not in NON_STANDARD_KEYWORDS}
    # In their own order: that of a set differs from process to process, and with it the document's ETag.
    for key in (key for key in BOUNDS if key in schema):
        name, tighter = BOUNDS[key]
        kept[name] = tighter(kept.get(name, schema[key]), schema[key])
    for inclusive, exclusive, tighter in RANGES:
        if inclusive in kept and exclusive in kept:
            # Of two bounds on one side only the tighter one is needed.
            is_inclusive = tighter(kept[inclusive], kept[exclusive]) != kept[exclusive]
            del kept[exclusive if is_inclusive else inclusive]
    return kept


def standardize(node: Any) -> Any:
    """Return a schema, or anything that holds schemas, with standard bounds at every level and no default of null.

    Leaving a field out means the same as that default, which client generators would treat as a value.
    Property names, examples and defaults are data and stay unchanged.
    """
    if isinstance(node, list):
        return [standardize(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _standardize_values(value) if key in {"properties", "$defs"} else _standardize_value(key, value)
        for key, value in standardize_bounds(node).items()
        if (key, value) != ("default", None)
    }


def _standardize_values(named: Mapping[str, Any]) -> Schema:
    return {name: standardize(schema) for name, schema in named.items()}


def _standardize_value(key: str, value: Any) -> Any:
    return value if key in {"example", "examples", "default", "const", "enum"} else standardize(value)


def list_references(node: Any) -> Iterator[str]:
    """Yield every ``$ref`` in a document."""
    if isinstance(node, list):
        for one in node:
            yield from list_references(one)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from list_references(value)
