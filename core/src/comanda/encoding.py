"""JSON encoding of the values that services return."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import orjson
from pydantic import BaseModel


def to_json(document: Any) -> bytes:
    """Encode a value that a service returned; times keep their UTC offset."""
    return orjson.dumps(document, default=_to_plain)


_ENCODERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (BaseModel, lambda model: model.model_dump(mode="json")),
    (Decimal, str),
    (frozenset, sorted),
)


def _to_plain(value: Any) -> Any:
    for kind, encode in _ENCODERS:
        if isinstance(value, kind):
            return encode(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
