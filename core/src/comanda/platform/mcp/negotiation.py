"""Negotiation of the protocol version and the content types, by the headers of a request."""

from functools import lru_cache
from typing import Final

from comanda.basics.errors import ComandaError, UnsupportedMediaType
from comanda.contracts.requests.calls import JSON, Call
from comanda.platform.mcp.jsonrpc import INVALID_REQUEST, RpcError

VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18")
LATEST_VERSION: Final = VERSIONS[-1]
# From this version on, a request holds exactly one message.
FIRST_VERSION_WITHOUT_BATCHES: Final = "2025-06-18"
# Assumed for clients that send no version.
DEFAULT_VERSION: Final = "2025-03-26"

EVENT_STREAM: Final = "text/event-stream"


class NotAcceptable(ComandaError):
    """The client accepts none of the content types that we can answer with."""

    status, code, message = 406, "not_acceptable", f"Accept {JSON} or {EVENT_STREAM}."


def check_version(call: Call) -> None:
    """Raise ``UnsupportedMediaType``, ``NotAcceptable``, or ``RpcError`` for an unsupported version."""
    if not _is_json(call.headers.get("content-type", JSON)):
        raise UnsupportedMediaType
    if choose_content_type(call.headers.get("accept", "")) is None:
        raise NotAcceptable
    given = get_version(call)
    if given not in VERSIONS:
        # With the newer error code, newer clients would assume a newer version; with this one they fall back.
        raise RpcError(
            INVALID_REQUEST,
            "This protocol version is not supported.",
            data={"supported": list(VERSIONS), "requested": given},
            status=400,
        )


def get_version(call: Call) -> str:
    """Return the protocol version that the client announces."""
    return call.headers.get("mcp-protocol-version", DEFAULT_VERSION).strip()


@lru_cache(maxsize=200)
def choose_content_type(accept: str) -> str | None:
    """Return the content type to answer with, preferably JSON, or None if the client accepts neither."""
    taken = {kind for part in accept.split(",") if (kind := _parse_media_type(part))}
    if not accept.strip() or taken & {JSON, "application/*", "*/*"}:
        return JSON
    return EVENT_STREAM if taken & {EVENT_STREAM, "text/*"} else None


def _parse_media_type(part: str) -> str:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weights = (piece.removeprefix("q=") for piece in parameters if piece.startswith("q="))
    return "" if any(weight.strip("0.") == "" for weight in weights) else kind


@lru_cache(maxsize=200)
def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))
