"""Spans as OpenTelemetry has them, sent in batches to the collector that ``OTEL_EXPORTER_OTLP_ENDPOINT`` names."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from threading import Thread
from typing import Final

import comanda
from comanda.basics import ComandaError
from comanda.contracts import SpanKind, Tracing
from comanda.platform import runtime
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.aiohttp_client import AioHttpClientInstrumentor
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from yarl import URL

from comanda_opentelemetry.settings import OpentelemetrySettings

SERVER_ERROR: Final = 500
# How long a process that stops waits for a collector.
CLOSE_SECONDS: Final = 2.0

_KINDS: Final = {
    SpanKind.REQUEST: trace.SpanKind.SERVER,
    SpanKind.BACKGROUND: trace.SpanKind.CONSUMER,
    SpanKind.PART: trace.SpanKind.INTERNAL,
}
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class Recorder:
    """Records the spans of one process, and gives them to the exporter that ``create_exporter()`` returns."""

    def __init__(self, create_exporter: Callable[[], SpanExporter] = OTLPSpanExporter) -> None:
        self._create_exporter = create_exporter
        self._tracer: trace.Tracer = trace.NoOpTracer()

    def to_tracing(self) -> Tracing:
        """Return the declaration for core."""
        return Tracing(self.recording, self.begin, self.describe, self.record_statement, self.get_ids)

    @asynccontextmanager
    async def recording(self) -> AsyncIterator[None]:
        """Record while the block runs, with statements and outgoing requests; then send what is left."""
        provider = TracerProvider(
            resource=_describe_process(),
            # Exceptions would be events: their messages hold values, of the database and of people.
            span_limits=SpanLimits(max_events=0),
        )
        provider.add_span_processor(BatchSpanProcessor(self._create_exporter()))
        instrumentor = AioHttpClientInstrumentor()
        instrumentor.instrument(tracer_provider=provider, url_filter=_to_origin)
        self._tracer = provider.get_tracer("comanda", comanda.__version__)
        try:
            yield
        finally:
            instrumentor.uninstrument()
            await _close(provider)

    @contextmanager
    def begin(self, name: str, kind: SpanKind, headers: Iterable[tuple[bytes, bytes]]) -> Iterator[None]:
        """Record a span while the block runs; see ``Tracing``."""
        caller = _find_caller(headers)
        continues = caller is not None and runtime.settings_of(OpentelemetrySettings).continue_traces
        with self._tracer.start_as_current_span(
            name,
            context=_find_parent(kind, caller if continues else None),
            kind=_KINDS[kind],
            links=[trace.Link(caller)] if caller is not None and not continues else None,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except ComandaError:
                raise
            except Exception as error:
                _mark_failed(span, type(error).__name__)
                raise

    def describe(self, name: str, attributes: Mapping[str, str | int]) -> None:
        """Rename the current span, and add attributes."""
        span = trace.get_current_span()
        span.update_name(name)
        span.set_attributes(attributes)
        if int(attributes.get("http.response.status_code", 0)) >= SERVER_ERROR:
            span.set_status(trace.StatusCode.ERROR)

    def record_statement(self, text: str, seconds: float, failure: str) -> None:
        """Record a statement that has just ended, by its first word; loops that look for work are no part of any."""
        if not trace.get_current_span().get_span_context().is_valid:
            return
        attributes = {"db.system.name": "postgresql", "db.query.text": text}
        began_at = time.time_ns() - int(seconds * 1e9)
        name = text.split(maxsplit=1)[0] if text.strip() else "statement"
        span = self._tracer.start_span(name, kind=trace.SpanKind.CLIENT, attributes=attributes, start_time=began_at)
        if failure:
            _mark_failed(span, failure)
        span.end()

    def get_ids(self) -> Mapping[str, str]:
        """Return the ids of the current span."""
        context = trace.get_current_span().get_span_context()
        if not context.is_valid:
            return {}
        return {"trace_id": trace.format_trace_id(context.trace_id), "span_id": trace.format_span_id(context.span_id)}


def _describe_process() -> Resource:
    ours = Resource({"service.name": "comanda", "service.version": comanda.__version__, "process.pid": os.getpid()})
    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    return ours.merge(OTELResourceDetector().detect())


def _mark_failed(span: trace.Span, kind: str) -> None:
    span.set_attribute("error.type", kind)
    span.set_status(trace.StatusCode.ERROR)


def _to_origin(url: URL) -> str:
    """Return what may be said of an address: paths and queries of services hold keys."""
    return str(url.origin())


def _find_caller(headers: Iterable[tuple[bytes, bytes]]) -> trace.SpanContext | None:
    carrier = {
        name.decode(): value.decode("latin-1") for name, value in headers if name in {b"traceparent", b"tracestate"}
    }
    context = trace.get_current_span(_PROPAGATOR.extract(carrier, Context())).get_span_context()
    return context if context.is_valid else None


def _find_parent(kind: SpanKind, caller: trace.SpanContext | None) -> Context | None:
    """Return the context in which a span begins; None is the one that is open."""
    if caller is not None:
        return trace.set_span_in_context(trace.NonRecordingSpan(caller), Context())
    return None if kind is SpanKind.PART else Context()


async def _close(provider: TracerProvider) -> None:
    """Send the last spans and end the sender, without waiting long for a collector that does not answer."""
    loop, closed = asyncio.get_running_loop(), asyncio.Event()

    def close() -> None:
        provider.shutdown()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(closed.set)

    Thread(target=close, name="tracing", daemon=True).start()
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await closed.wait()
