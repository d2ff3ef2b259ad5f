"""Logs and metrics: what the operator sees, and what nobody must see in them."""

import logging
import re
import sys
from contextvars import ContextVar

import structlog
from prometheus_client import Counter, Gauge, Histogram
from structlog.typing import EventDict, WrappedLogger

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

SECRETS = re.compile(r"\b((?:own|sf|drv|cus|stf|app|rt)_|whsec_|Bearer\s+)[A-Za-z0-9+/=_-]{8,}")
QUERY_TOKEN = re.compile(r"(api_token=)[^&]*")


def redacted(text: str) -> str:
    """Return text in which tokens and signing secrets are masked."""
    if not text:
        return text
    return SECRETS.sub(r"\1…", QUERY_TOKEN.sub(r"\1…", text))


def _mask(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = redacted(value)
    return event


def _request_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    if "request_id" not in event and (request_id := request_id_var.get()):
        event["request_id"] = request_id
    return event


def configure_logging(level: str, log_format: str) -> None:
    """Log to standard error: lines for people on a terminal, JSON elsewhere, or as ``log_format`` says."""
    for_people = log_format == "console" or (log_format == "auto" and sys.stderr.isatty())
    # The plain formatter, as the rich one prints local variables, and those hold secrets.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    renderer = console if for_people else structlog.processors.JSONRenderer()
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _request_id,
            *([] if for_people else [structlog.processors.format_exc_info]),
            _mask,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr, force=True)
