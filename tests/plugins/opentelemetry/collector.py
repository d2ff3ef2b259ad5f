"""A collector on loopback, which keeps what arrives."""

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Span:
    """What arrived of a span."""

    name: str
    kind: int
    id: str
    trace_id: str
    parent_id: str
    has_failed: bool
    attributes: dict[str, str | int]
    links: list[str]


@dataclass
class Collector:
    """What arrived, as bytes and as spans, and the headers of requests that were no spans."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)
    services: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)

    def receive(self, body):
        self.bodies.append(body)
        for process in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services.append(_read(process.resource.attributes)["service.name"])
            for scope in process.scope_spans:
                self.spans += map(_to_span, scope.spans)

    def find(self, name):
        """Return the only span of a name."""
        [found] = [span for span in self.spans if span.name == name]
        return found

    def list_parts(self, span):
        """List the spans within a span, at any depth."""
        parts = [part for part in self.spans if part.parent_id == span.id]
        return [*parts, *(inner for part in parts for inner in self.list_parts(part))]


def open_collector():
    """Return a collector that listens, and what closes it."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            collector.receive(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def do_GET(self):
            collector.requests.append(dict(self.headers))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def close():
        server.shutdown()
        server.server_close()

    return collector, close


def _to_span(span):
    return Span(
        name=span.name,
        kind=span.kind,
        id=span.span_id.hex(),
        trace_id=span.trace_id.hex(),
        parent_id=span.parent_span_id.hex(),
        has_failed=span.status.code == span.status.STATUS_CODE_ERROR,
        attributes=_read(span.attributes),
        links=[link.trace_id.hex() for link in span.links],
    )


def _read(attributes):
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}
