"""Spans of requests, of plugins' steps and of background work, while a plugin records them."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Final

import asyncpg

from comanda.contracts.tracing import SpanKind, Tracing

_NO_SPAN: Final = nullcontext()


class _Process:
    """What records the spans of this process."""

    tracing: Tracing | None = None


_process = _Process()


@asynccontextmanager
async def recording(tracing: Tracing | None) -> AsyncIterator[None]:
    """Record spans while the block runs, if a plugin does."""
    if tracing is None:
        yield
        return
    async with tracing.recording():
        _process.tracing = tracing
        try:
            yield
        finally:
            _process.tracing = None


def span(
    name: str, kind: SpanKind = SpanKind.PART, headers: Iterable[tuple[bytes, bytes]] = ()
) -> AbstractContextManager[object]:
    """Return a span, which lasts as long as its block."""
    return _NO_SPAN if _process.tracing is None else _process.tracing.begin(name, kind, headers)


def describe_request(method: str, route: str, status: int) -> None:
    """Describe the innermost open span as that of a request, by the template of its path."""
    if _process.tracing is not None:
        attributes: dict[str, str | int] = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
        }
        _process.tracing.describe(f"{method} {route}", attributes)


def watch_statements(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Record the statements of a new connection, if a plugin does."""
    if (tracing := _process.tracing) is None:
        return

    def record(statement: "asyncpg.connection.LoggedQuery") -> None:
        failure = "" if statement.exception is None else type(statement.exception).__name__
        tracing.record_statement(statement.query, statement.elapsed, failure)

    connection.add_query_logger(record)


def get_ids() -> Mapping[str, str]:
    """Return the ids of the innermost open span for a log line: ``trace_id`` and ``span_id``, or nothing."""
    return {} if _process.tracing is None else _process.tracing.get_ids()
