"""Tracing: what a process does, as spans that the operator's collector receives."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum


class SpanKind(StrEnum):
    """What a span is of: an answered request, work that waited in a table or for its time, or a part of either."""

    REQUEST = "request"
    BACKGROUND = "background"
    PART = "part"


@dataclass(frozen=True, slots=True)
class Tracing:
    """How spans are recorded. Names and attributes that core gives hold no secrets and no personal data.

    ``recording()`` is open while the process uses the database, and sends the last spans at its end.

    ``begin(name, kind, headers)`` returns a span, which lasts as long as its block; an exception that leaves the block
    is its failure, unless it is a ``ComandaError``, which refuses. ``headers`` are those of a request, whose caller may
    have a trace of its own. ``describe(name, attributes)`` renames the innermost open span and adds attributes, named
    by the semantic conventions of OpenTelemetry. ``record_statement(text, seconds, failure)`` records a statement that
    has just ended, with the kind of its failure or an empty text. ``get_ids()`` returns the ``trace_id`` and
    ``span_id`` of the innermost open span for log lines, or nothing.
    """

    recording: Callable[[], AbstractAsyncContextManager[None]]
    begin: Callable[[str, SpanKind, Iterable[tuple[bytes, bytes]]], AbstractContextManager[object]]
    describe: Callable[[str, Mapping[str, str | int]], None]
    record_statement: Callable[[str, float, str], None]
    get_ids: Callable[[], Mapping[str, str]]
