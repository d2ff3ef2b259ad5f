"""From what a handler returns or raises to the bytes that are sent."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import asyncpg
import orjson
import structlog
from pydantic import BaseModel
from tortoise.exceptions import DBConnectionError, OperationalError

from comanda.errors import ComandaError, Unavailable
from comanda.http.call import Answer, Call

log = structlog.get_logger(__name__)

# Trouble that passes: the database restarts, is full of connections, or broke a deadlock by ending this transaction.
PASSING: tuple[type[Exception], ...] = (
    DBConnectionError,
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.QueryCanceledError,
    asyncpg.LockNotAvailableError,
)


def payload(result: Any, status: int) -> Answer:
    """Make the answer of a handler's result."""
    if isinstance(result, Answer):
        if not isinstance(result.body, bytes):
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
    told = _told(error)
    if told.status >= 500:
        log.error("request_failed", path=call.path, request_id=call.request_id, exc_info=error)
    envelope = {**told.envelope(), "request_id": call.request_id}
    return Answer(to_json(envelope), told.status, dict(told.headers))


def _told(error: Exception) -> ComandaError:
    if isinstance(error, ComandaError):
        return error
    cause = error.__cause__ if isinstance(error, OperationalError) else error
    if isinstance(cause, PASSING):
        return Unavailable()
    return ComandaError()
