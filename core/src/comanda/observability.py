"""Logs and metrics: what the operator sees, and what nobody must see in them."""

import logging
import sys
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TextIO

import orjson
import structlog
from prometheus_client import Counter, Gauge, Histogram
from structlog.typing import EventDict, WrappedLogger

from comanda.redaction import redacted, redacted_value

request_id_var: ContextVar[str | None] = ContextVar("request_id", default=None)

REQUESTS = Counter("comanda_http_requests_total", "Requests answered", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "comanda_http_request_seconds",
    "Time to answer",
    ["route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
OUTBOX_WAITING = Gauge("comanda_outbox_waiting", "Events that no dispatcher has finished")
OUTBOX_OLDEST_SECONDS = Gauge("comanda_outbox_oldest_seconds", "Age of the oldest of them")


class DirectLog:
    """Lines that every request writes, as JSON directly: the general way costs a tenth of a request."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.configure(None)

    def configure(self, stream: TextIO | None) -> None:
        """Write JSON to a stream, or with None go the general way."""
        self._stream = stream
        self._general = structlog.get_logger(self._name)

    def write(self, event: str, **values: object) -> None:
        """Write a line of texts, which are masked, and numbers."""
        stream = self._stream
        if stream is None:
            self._general.info(event, **values)
            return
        line = {name: redacted(value) if isinstance(value, str) else value for name, value in values.items()}
        line |= {"event": event, "level": "info", "timestamp": datetime.now(UTC)}
        stream.write(orjson.dumps(line, option=orjson.OPT_UTC_Z).decode() + "\n")
        stream.flush()


ACCESS = DirectLog("comanda.access")
AUDIT = DirectLog("comanda.audit")


def _mask(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        event[key] = redacted_value(value, key)
    return event


class RedactingFormatter(logging.Formatter):
    """Formats what libraries log, servers and frameworks among them, with secrets masked."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and the traceback where there is one."""
        return redacted(super().format(record))


def _json(event: EventDict, default: Callable[[object], object], **_: object) -> str:
    return orjson.dumps(event, default=default, option=orjson.OPT_NON_STR_KEYS).decode()


def _request_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    if "request_id" not in event and (request_id := request_id_var.get()):
        event["request_id"] = request_id
    return event


def configure_logging(level: str, log_format: str) -> None:
    """Log to standard error: lines for people on a terminal, JSON elsewhere, or as ``log_format`` says."""
    for_people = log_format == "console" or (log_format == "auto" and sys.stderr.isatty())
    # The plain formatter, as the rich one prints local variables, and those hold secrets.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    renderer = console if for_people else structlog.processors.JSONRenderer(serializer=_json)
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _request_id,
            structlog.processors.format_exc_info,
            _mask,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    for direct in (ACCESS, AUDIT):
        direct.configure(sys.stderr if number <= logging.INFO and not for_people else None)
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr, force=True)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(RedactingFormatter(logging.BASIC_FORMAT))
