"""Conversion of results and errors of handlers into answers."""

from collections.abc import AsyncGenerator
from typing import Any

import structlog
from tortoise.exceptions import OperationalError
from tortoise.exceptions import ValidationError as FieldError

from comanda.basics.encoding import to_json
from comanda.basics.errors import BadRequest, ComandaError, Unavailable
from comanda.contracts.requests.calls import Answer, Call
from comanda.platform import runtime
from comanda.platform.db.errors import TRANSIENT_ERRORS, UNSTORABLE_TEXT_ERRORS
from comanda.platform.plugin_calls import PluginFailed

log = structlog.get_logger(__name__)


def cacheable_answer(call: Call, body: bytes, etag: str) -> Answer:
    """Return a publicly cacheable answer that must be revalidated, or 304 if the client's copy is current."""
    headers = {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate"}
    if matches_etag(etag, call.headers.get("if-none-match", "")):
        return Answer(status=304, headers=headers)
    return Answer(body, headers=headers)


def matches_etag(etag: str, known: str) -> bool:
    """Return whether ``If-None-Match`` includes this entity tag."""
    # Weak comparison, because proxies add or remove the W/ prefix.
    tags = {tag.strip().removeprefix("W/") for tag in known.split(",")} if known else set()
    return bool(tags) and (etag.removeprefix("W/") in tags or tags == {"*"})


def to_answer(result: Any, status: int) -> Answer:
    """Return the answer for the result of a handler."""
    if isinstance(result, Answer):
        if not isinstance(result.body, bytes | AsyncGenerator):
            result.body = to_json(result.body)
        if result.status is None:
            result.status = status
        return result
    if result is None:
        return Answer(status=204)
    return Answer(to_json(result), status)


def create_timeout_error(seconds: float) -> Unavailable:
    """Return the error of a request or tool call that was cancelled after ``seconds``."""
    return Unavailable(f"This took longer than {seconds:g} seconds and was cancelled. Try again shortly.")


def error_answer(error: BaseException, call: Call) -> Answer:
    """Return the envelope of an error; unexpected errors are logged in full and reported briefly."""
    known = to_public_error(error)
    if known.status >= 500 and not isinstance(error, PluginFailed):
        log.error("request_failed", path=call.path, request_id=call.request_id, exc_info=error)
    kind = None if call.caller is None else runtime.registry().caller_kinds.get(call.caller.kind)
    if kind is not None and kind.translate_error is not None:
        kind.translate_error(known, call.headers)
    envelope = {**known.envelope(), "request_id": call.request_id}
    return Answer(to_json(envelope), known.status, dict(known.headers))


def to_public_error(error: BaseException) -> ComandaError:
    """Return the error that the caller sees: a ``ComandaError`` unchanged, another error as its public counterpart."""
    if isinstance(error, ComandaError):
        return error
    cause = error.__cause__ if isinstance(error, OperationalError) else error
    if isinstance(cause, TRANSIENT_ERRORS):
        return Unavailable()
    if isinstance(cause, UNSTORABLE_TEXT_ERRORS):
        return BadRequest("The request contains characters that cannot be stored, such as NUL.")
    if isinstance(error, FieldError):
        return BadRequest("A value in the request does not fit the field that it is compared with or stored in.")
    return ComandaError()
