"""JSON-RPC 2.0: parsing of messages, encoding of replies and errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from comanda.basics.encoding import to_json
from comanda.basics.errors import ComandaError, Forbidden, RateLimited, Unauthenticated, Unavailable

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# Our own codes, from the range that the protocol reserves for servers.
UNAUTHENTICATED: Final = -32001
FORBIDDEN: Final = -32003
RATE_LIMITED: Final = -32005
UNAVAILABLE: Final = -32006

NO_ID: Final = b"null"


class RpcError(Exception):
    """An error answer to a message; ``status`` is the HTTP status if it is the only message."""

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
class RpcRequest:
    """A message that expects a reply; ``id`` is JSON."""

    id: bytes
    method: str
    params: Mapping[str, Any]


def parse_body(body: bytes) -> Any:
    """Parse a body. Raises ``RpcError`` if it is not UTF-8 encoded JSON."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise RpcError(PARSE_ERROR, f"The body is not valid JSON: {error.msg}.", status=400) from error


def parse_request(message: Any) -> RpcRequest | None:
    """Return the request in a message, or None for a notification or a response, which get no reply.

    Raises ``RpcError`` for an invalid message.
    """
    if not isinstance(message, dict):
        raise _create_invalid_request("A message must be an object.")
    id = _parse_id(message)
    if message.get("jsonrpc") != "2.0":
        raise _create_invalid_request('A message must have "jsonrpc": "2.0".', id)
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, params = message.get("method"), message.get("params")
    if not isinstance(method, str):
        raise _create_invalid_request("A message must have a method.", id)
    if id is None:
        return None
    if params is not None and not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object.", id=id)
    return RpcRequest(id, method, params or {})


def _parse_id(message: Mapping[str, Any]) -> bytes | None:
    if "id" not in message:
        return None
    given = message["id"]
    if isinstance(given, bool) or not isinstance(given, str | int):
        if "method" not in message and given is None:
            return None  # the response to an unparsable message
        raise _create_invalid_request("id must be a string or an integer.")
    return orjson.dumps(given)


def _create_invalid_request(message: str, id: bytes | None = None) -> RpcError:
    return RpcError(INVALID_REQUEST, message, status=400, id=id or NO_ID)


def encode_result_frame(id: bytes, result: bytes) -> bytes:
    """Return a reply with a result that is already JSON."""
    return b'{"jsonrpc":"2.0","id":' + id + b',"result":' + result + b"}"


def encode_error_frame(error: RpcError) -> bytes:
    """Return a reply with an error."""
    data = {} if error.data is None else {"data": error.data}
    document = {"code": error.code, "message": error.message, **data}
    return b'{"jsonrpc":"2.0","id":' + error.id + b',"error":' + to_json(document) + b"}"


_CODES: tuple[tuple[type[ComandaError], int], ...] = (
    (Unauthenticated, UNAUTHENTICATED),
    (Forbidden, FORBIDDEN),
    (RateLimited, RATE_LIMITED),
    (Unavailable, UNAVAILABLE),
)


def to_rpc_error(error: ComandaError, request_id: str) -> RpcError:
    """Convert an error to JSON-RPC; ``data`` has the keys of the envelope."""
    other = INTERNAL_ERROR if error.status >= 500 else INVALID_REQUEST
    code = next((code for kind, code in _CODES if isinstance(error, kind)), other)
    envelope = error.envelope()
    message = str(envelope.pop("message"))
    data = {**envelope, "request_id": request_id}
    return RpcError(code, message, data=data, status=error.status, headers=error.headers)
