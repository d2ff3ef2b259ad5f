"""The ids in an audit entry: those in a request and those in its answer, and no other values."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson
from pydantic import BaseModel

from comanda.contracts.requests.numbers import MAX_ID, parse_id

MAX_IDS: Final = 20

# The resource of a path such as `/webhook-endpoints/{id}`.
PLAIN_PARAMETER = re.compile(r"([a-z-]+)/\{id\}")
# A word boundary inside `orderId`.
CAMEL_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")


def to_path_id_names(path: str) -> dict[str, str]:
    """Return the name in an entry for each parameter of a route's path: ``order_id`` for ``{orderId}``."""
    names = {name: CAMEL_BOUNDARY.sub("_", name).lower() for name in re.findall(r"\{(\w+)\}", path)}
    if plain := PLAIN_PARAMETER.search(path):
        names["id"] = f"{plain[1].replace('-', '_').removesuffix('s')}_id"
    return names


def extract_path_ids(names: Mapping[str, str], path: Mapping[str, str]) -> dict[str, int]:
    """Return the numeric ids in a path. Texts are left out, because they may be secrets such as tracking tokens."""
    return {names[name]: number for name, text in path.items() if (number := parse_id(text)) is not None}


def extract_argument_ids(given: Mapping[str, Any]) -> dict[str, int]:
    """Return the ids among a tool's arguments."""
    return dict(_extract_ids(given))


def extract_result_ids(result: object) -> dict[str, int]:
    """Return the ids in an answer: ``id``, fields ending in ``_id``, and the ``id`` of each nested record."""
    document = _to_document(result)
    if not isinstance(document, Mapping):
        return {}
    found = dict(_extract_ids(document))
    for name, value in document.items():
        inner: Any = value.get("id") if isinstance(value, Mapping) else None
        if _is_id(inner) and len(found) < MAX_IDS:
            found.setdefault(f"{name}_id", inner)
    return found


def _to_document(result: object) -> object:
    if isinstance(result, BaseModel):
        return result.model_dump()
    if isinstance(result, bytes):
        try:
            return orjson.loads(result)
        except orjson.JSONDecodeError:
            return None
    return result


def _extract_ids(document: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    names = [name for name, value in document.items() if (name == "id" or name.endswith("_id")) and _is_id(value)]
    return ((name, document[name]) for name in names[:MAX_IDS])


def _is_id(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_ID
