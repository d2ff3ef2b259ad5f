"""A server that accepts every webhook."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver(BaseHTTPRequestHandler):
    """Accepts every webhook."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Read a webhook and answer 204."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is that of the base class
        """Print nothing."""


class ReceiverServer(ThreadingHTTPServer):
    """A server that minds no connection that a killed worker leaves behind."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing."""


@contextmanager
def receiving() -> Iterator[str]:
    """Run a receiver of webhooks while the block runs; yield its address."""
    with ReceiverServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hooks"
        server.shutdown()
