"""From what a handler returns or raises to the bytes that are sent."""

from collections.abc import AsyncGenerator, Callable
from decimal import Decimal
from typing import Any

import asyncpg
import orjson
import structlog
from pydantic import BaseModel
from tortoise.exceptions import DBConnectionError, OperationalError
from tortoise.exceptions import ValidationError as FieldError

from comanda.contracts.calls import Answer, Call
from comanda.errors import BadRequest, ComandaError, Unavailable

log = structlog.get_logger(__name__)

# Trouble that passes: the database restarts, lets nobody in, is full of connections, is for reading only until a
# failover is through, or broke a deadlock by ending this transaction.
PASSING: tuple[type[Exception], ...] = (
    DBConnectionError,
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what a query meets whose connection breaks at that very moment
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.ObjectNotInPrerequisiteStateError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.QueryCanceledError,
)

# Texts that PostgreSQL has no place for. Fields of our own types are cleaned; a plugin's plain ``str`` may not be.
UNSTORABLE = (asyncpg.CharacterNotInRepertoireError, asyncpg.UntranslatableCharacterError)


def cacheable_answer(call: Call, body: bytes, etag: str) -> Answer:
    """Answer with what anyone may keep as long as they ask whether it is still so: 304 where the client's copy is."""
    headers = {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate"}
    if matches_etag(etag, call.headers.get("if-none-match", "")):
        return Answer(status=304, headers=headers)
    return Answer(body, headers=headers)


def matches_etag(etag: str, known: str) -> bool:
    """Check whether the copies that ``If-None-Match`` names include this one."""
    # The comparison is the weak one: proxies take the W/ away or put it there.
    tags = {tag.strip().removeprefix("W/") for tag in known.split(",")} if known else set()
    return bool(tags) and (etag.removeprefix("W/") in tags or tags == {"*"})


def to_answer(result: Any, status: int) -> Answer:
    """Make the answer of a handler's result."""
    if isinstance(result, Answer):
        if not isinstance(result.body, bytes | AsyncGenerator):
            result.body = to_json(result.body)
        if result.status is None:
            result.status = status
        return result
    if result is None:
        return Answer(status=204)
    return Answer(to_json(result), status)


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


def error_answer(error: Exception, call: Call) -> Answer:
    """Make the envelope of an error; what nobody expected is logged whole and told briefly."""
    known = to_public_error(error)
    if known.status >= 500:
        log.error("request_failed", path=call.path, request_id=call.request_id, exc_info=error)
    envelope = {**known.envelope(), "request_id": call.request_id}
    return Answer(to_json(envelope), known.status, dict(known.headers))


def to_public_error(error: Exception) -> ComandaError:
    """Return the error that a caller is told of: itself if it is ours, else what it means to whoever called."""
    if isinstance(error, ComandaError):
        return error
    cause = error.__cause__ if isinstance(error, OperationalError) else error
    if isinstance(cause, PASSING):
        return Unavailable()
    if isinstance(cause, UNSTORABLE):
        return BadRequest("The request contains characters that cannot be stored, such as NUL.")
    if isinstance(error, FieldError):
        return BadRequest("A value of the request does not fit what it is compared with or stored in.")
    return ComandaError()
