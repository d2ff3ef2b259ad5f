"""JSON-RPC 2.0: messages read, replies framed, and errors in its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from comanda.encoding import to_json
from comanda.errors import ComandaError, Forbidden, RateLimited, Unauthenticated, Unavailable

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# Our own, from the range that the protocol leaves to servers.
UNAUTHENTICATED: Final = -32001
FORBIDDEN: Final = -32003
RATE_LIMITED: Final = -32005
UNAVAILABLE: Final = -32006

NO_ID: Final = b"null"


class RpcError(Exception):
    """A message that is answered with an error; ``status`` is that of HTTP where it is the only message."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        data: Mapping[str, object] | None = None,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        id: bytes = NO_ID,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.data, self.status = code, message, data, status
        self.headers = dict(headers or {})
        self.id = id


@dataclass(frozen=True, slots=True)
class Request:
    """A message that wants a reply; ``id`` is JSON."""

    id: bytes
    method: str
    params: Mapping[str, Any]


def read(body: bytes) -> Any:
    """Parse a body. Raises ``RpcError`` for what is not JSON in UTF-8."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise RpcError(PARSE_ERROR, f"The body is not valid JSON: {error.msg}.", status=400) from error


def request(message: Any) -> Request | None:
    """Return the request that a message is, or None for a notification or a response, which get no reply.

    Raises ``RpcError`` for anything else.
    """
    if not isinstance(message, dict):
        raise _invalid("A message is an object.")
    id = _id(message)
    if message.get("jsonrpc") != "2.0":
        raise _invalid('A message has "jsonrpc": "2.0".', id)
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, params = message.get("method"), message.get("params")
    if not isinstance(method, str):
        raise _invalid("A message names its method.", id)
    if id is None:
        return None
    if params is not None and not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "Parameters are an object.", id=id)
    return Request(id, method, params or {})


def _id(message: Mapping[str, Any]) -> bytes | None:
    if "id" not in message:
        return None
    given = message["id"]
    if isinstance(given, bool) or not isinstance(given, str | int):
        if "method" not in message and given is None:
            return None  # the response to a message that could not be read
        raise _invalid("An id is a text or a whole number.")
    return orjson.dumps(given)


def _invalid(message: str, id: bytes | None = None) -> RpcError:
    return RpcError(INVALID_REQUEST, message, status=400, id=id or NO_ID)


def result_frame(id: bytes, result: bytes) -> bytes:
    """Frame a result that is JSON already."""
    return b'{"jsonrpc":"2.0","id":' + id + b',"result":' + result + b"}"


def error_frame(error: RpcError) -> bytes:
    """Frame an error."""
    data = {} if error.data is None else {"data": error.data}
    document = {"code": error.code, "message": error.message, **data}
    return b'{"jsonrpc":"2.0","id":' + error.id + b',"error":' + to_json(document) + b"}"


_CODES: tuple[tuple[type[ComandaError], int], ...] = (
    (Unauthenticated, UNAUTHENTICATED),
    (Forbidden, FORBIDDEN),
    (RateLimited, RATE_LIMITED),
    (Unavailable, UNAVAILABLE),
)


def translated(error: ComandaError, request_id: str) -> RpcError:
    """Say an error of ours in JSON-RPC; the envelope's keys stand in ``data``."""
    other = INTERNAL_ERROR if error.status >= 500 else INVALID_REQUEST
    code = next((code for kind, code in _CODES if isinstance(error, kind)), other)
    envelope = error.envelope()
    message = str(envelope.pop("message"))
    data = {**envelope, "request_id": request_id}
    return RpcError(code, message, data=data, status=error.status, headers=error.headers)
