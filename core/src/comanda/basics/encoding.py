"""JSON encoding of the values that services return."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import orjson
from pydantic import BaseModel


def to_json(document: Any) -> bytes:
    """Encode a value that a service returned; times keep their UTC offset."""
    return orjson.dumps(document, default=_to_plain)


def to_request_json(document: Any) -> bytes:
    """Encode what somebody has typed into a form as the body of a request.

    Integers of more than 64 bits and lone surrogates are sent as they are: the API says what is wrong with them.
    """
    try:
        return to_json(document)
    except orjson.JSONEncodeError:
        return json.dumps(document, default=_to_plain).encode()


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
