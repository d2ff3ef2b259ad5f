"""JSON encoding of what services return."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import orjson
from pydantic import BaseModel


def to_json(document: Any) -> bytes:
    """Encode what services return; times keep their UTC offset."""
    return orjson.dumps(document, default=_plain)


_ENCODERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (BaseModel, lambda model: model.model_dump(mode="json")),
    (Decimal, str),
    (frozenset, sorted),
)


def _plain(value: Any) -> Any:
    for kind, encode in _ENCODERS:
        if isinstance(value, kind):
            return encode(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
