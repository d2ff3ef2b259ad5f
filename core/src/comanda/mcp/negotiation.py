"""What a request's headers say about how to speak: the protocol's version, and the form of body and answer."""

from functools import lru_cache
from typing import Final

from comanda.contracts.calls import JSON, Call
from comanda.errors import ComandaError, UnsupportedMediaType
from comanda.mcp.jsonrpc import INVALID_REQUEST, RpcError

VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18")
LATEST: Final = VERSIONS[-1]
# From this one on, a request is one message.
WITHOUT_BATCHES: Final = "2025-06-18"
# What a client speaks that does not say.
ASSUMED: Final = "2025-03-26"

EVENT_STREAM: Final = "text/event-stream"


class NotAcceptable(ComandaError):
    """The client takes neither of the forms that we can answer in."""

    status, code, message = 406, "not_acceptable", f"Accept {JSON} or {EVENT_STREAM}."


def check_version(call: Call) -> None:
    """Raise ``UnsupportedMediaType``, ``NotAcceptable``, or ``RpcError`` for a version that we do not speak."""
    if not _is_json(call.headers.get("content-type", JSON)):
        raise UnsupportedMediaType
    if answer_form(call.headers.get("accept", "")) is None:
        raise NotAcceptable
    given = version(call)
    if given not in VERSIONS:
        # A newer code for this would tell newer clients that we speak newer versions; with this one they fall back.
        raise RpcError(
            INVALID_REQUEST,
            "That protocol version is not spoken here.",
            data={"supported": list(VERSIONS), "requested": given},
            status=400,
        )


def version(call: Call) -> str:
    """Tell which version the client says that it speaks."""
    return call.headers.get("mcp-protocol-version", ASSUMED).strip()


@lru_cache(maxsize=200)
def answer_form(accept: str) -> str | None:
    """Return the content type to answer with, JSON wherever it will do, or None where nothing will."""
    taken = {kind for part in accept.split(",") if (kind := _kind(part))}
    if not accept.strip() or taken & {JSON, "application/*", "*/*"}:
        return JSON
    return EVENT_STREAM if taken & {EVENT_STREAM, "text/*"} else None


def _kind(part: str) -> str:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weights = (piece.removeprefix("q=") for piece in parameters if piece.startswith("q="))
    return "" if any(weight.strip("0.") == "" for weight in weights) else kind


@lru_cache(maxsize=200)
def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))
