"""Logs and metrics, with secrets masked."""

import logging
import sys
import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import TextIO

import orjson
import structlog
from prometheus_client import Counter, Gauge, Histogram
from structlog.typing import EventDict, Processor, WrappedLogger

from comanda.basics.redaction import redact, redact_value
from comanda.platform import tracing

request_id_var: ContextVar[str | None] = ContextVar("request_id", default=None)
# The plugin whose code runs, for log lines.
plugin_var: ContextVar[str | None] = ContextVar("plugin", default=None)

REQUESTS = Counter("comanda_http_requests_total", "Requests answered", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "comanda_http_request_seconds",
    "Time to answer",
    ["route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
REPLICA_READS = Counter("comanda_replica_reads_total", "Reads that a replica may answer, by who did", ["server"])
PLUGIN_FAILURES = Counter(
    "comanda_plugin_failures_total",
    "Calls of plugins that raised, took too long or returned something invalid",
    ["plugin", "step"],
)
LOOP_BLOCKS = Counter(
    "comanda_event_loop_blocks_total",
    "Callbacks that held the event loop for more than 250 ms, by the plugin whose code ran",
    ["plugin"],
)
REQUESTS_SHED = Counter("comanda_http_requests_shed_total", "Requests rejected because too many wait for the database")
# Of the database, the same in every process: what was measured last is right.
_create_measured = partial(Gauge, multiprocess_mode="mostrecent")
OUTBOX_WAITING = _create_measured("comanda_outbox_waiting", "Events that no dispatcher has finished")
OUTBOX_OLDEST_SECONDS = _create_measured("comanda_outbox_oldest_seconds", "Age of the oldest of them")
HANDLER_FAILURES = Counter("comanda_event_handler_failures_total", "Failed calls of handlers", ["handler", "reason"])
HANDLER_WAITING = _create_measured(
    "comanda_event_handler_waiting", "Events that wait in the lane of a handler", ["handler"]
)
HANDLER_OLDEST_SECONDS = _create_measured(
    "comanda_event_handler_oldest_seconds", "Age of the oldest of them", ["handler"]
)
QUEUE_WAITING = _create_measured("comanda_queue_waiting", "Rows of a queue that wait", ["queue"])
QUEUE_OLDEST_SECONDS = _create_measured("comanda_queue_oldest_seconds", "Age of the oldest of them", ["queue"])
QUEUE_OVERDUE_SECONDS = _create_measured(
    "comanda_queue_overdue_seconds", "For how long the longest due of them has been due", ["queue"]
)
QUEUE_DEAD = _create_measured("comanda_queue_dead", "Rows of a queue that were given up", ["queue"])
# What they count from the import on; the others begin with their first labels.
WITHOUT_LABELS = (REQUESTS_SHED, OUTBOX_WAITING, OUTBOX_OLDEST_SECONDS)


class DirectLogger:
    """A logger for lines that every request writes, encoded directly: structlog would take a tenth of a request.

    ``for_people`` formats the line for a terminal; without it structlog does.
    """

    def __init__(self, name: str, for_people: Callable[[Mapping[str, object]], str] | None = None) -> None:
        self._name = name
        self._for_people = for_people
        self.configure(None)

    def configure(self, stream: TextIO | None, *, is_console: bool = False) -> None:
        """Set the stream to write to; None logs through structlog."""
        self._stream = stream if not is_console or self._for_people is not None else None
        self._is_console = is_console
        self._general = structlog.get_logger(self._name)

    def write(self, event: str, **values: object) -> None:
        """Write a line of numbers and texts; texts are masked."""
        stream = self._stream
        if stream is None:
            self._general.info(event, **values)
            return
        line = {name: redact(value) if isinstance(value, str) else value for name, value in values.items()}
        if self._is_console and self._for_people is not None:
            stream.write(self._for_people(line) + "\n")
        else:
            line |= {"event": event, "level": "info", "timestamp": datetime.now(UTC)}
            stream.write(orjson.dumps(line, option=orjson.OPT_UTC_Z).decode() + "\n")
        stream.flush()


def _format_request(request: Mapping[str, object]) -> str:
    """Return a request for a terminal: ``10:14:24  POST   201      4.2 ms  /api/v1/me?page=2  owner:1``."""
    query = f"?{request['query']}" if request["query"] else ""
    caller = f"  {request['caller']}" if request["caller"] else ""
    moment = datetime.now().astimezone().strftime("%H:%M:%S")
    return (
        f"{moment}  {request['method']:<6} {request['status']} {request['ms']:>8.1f} ms  "
        f"{_to_printable(request['path'])}{_to_printable(query)}{caller}"
    )


def _to_printable(text: object) -> str:
    # A path may contain control characters, which a terminal would execute.
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(text))


ACCESS = DirectLogger("comanda.access", _format_request)
AUDIT = DirectLogger("comanda.audit")
# Messages about the process itself, at any log level: it is ready, it stops.
PROCESS = DirectLogger("comanda.process", lambda line: str(line["message"]))


def _mask(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        event[key] = redact_value(value, key)
    return event


def _encode_json(event: EventDict, default: Callable[[object], object], **_: object) -> str:
    return orjson.dumps(event, default=default, option=orjson.OPT_NON_STR_KEYS).decode()


def _add_context(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the id of the request and the name of the plugin that a line is about, unless the line has them."""
    if "request_id" not in event and (request_id := request_id_var.get()):
        event["request_id"] = request_id
    if "plugin" not in event and (plugin := plugin_var.get()):
        event["plugin"] = plugin
    event.update(tracing.get_ids())
    return event


def configure_logging(level: str, log_format: str) -> None:
    """Configure logging to standard error: readable lines on a terminal, JSON elsewhere, or as ``log_format`` says.

    Messages of libraries, asyncio and ``warnings`` have the same format.
    """
    for_people = log_format == "console" or (log_format == "auto" and sys.stderr.isatty())
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    common: list[Processor] = [
        structlog.processors.add_log_level,
        _create_timestamper(for_people=for_people),
        _add_context,
    ]
    last: list[Processor] = [structlog.processors.format_exc_info, _mask, _create_renderer(for_people=for_people)]
    structlog.configure(
        processors=[*common, *last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    for direct in (ACCESS, AUDIT):
        direct.configure(sys.stderr if number <= logging.INFO else None, is_console=for_people)
    PROCESS.configure(sys.stderr, is_console=for_people)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
            foreign_pre_chain=[*common, structlog.stdlib.add_logger_name],
        )
    )
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)


def log_uncaught() -> None:
    """Log warnings, and uncaught errors of the process and its threads."""
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_exception
    threading.excepthook = lambda thrown: _log_exception(
        thrown.exc_type, thrown.exc_value or thrown.exc_type(), thrown.exc_traceback
    )
    sys.unraisablehook = lambda ignored: _log_exception(
        ignored.exc_type, ignored.exc_value or ignored.exc_type(), ignored.exc_traceback
    )


def _log_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logging.getLogger("comanda").error("uncaught_error", exc_info=(kind, error, trace))


def _create_timestamper(*, for_people: bool) -> Processor:
    if for_people:
        return structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)
    return structlog.processors.TimeStamper(fmt="iso", utc=True)


def _create_renderer(*, for_people: bool) -> Processor:
    if not for_people:
        return structlog.processors.JSONRenderer(serializer=_encode_json)
    # The plain formatter, because the rich one prints local variables, which hold secrets.
    return structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback, colors=sys.stderr.isatty())
