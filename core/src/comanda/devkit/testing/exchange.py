"""Simple requests to an application, with less overhead than the test client of Quart.

Most requests of a test run have no form, files or cookies. For these, Quart's client takes as long as the application
itself.
"""

import asyncio
from typing import Any

from quart import Quart, Response
from quart.testing import make_test_body_with_headers, make_test_headers_path_and_query_string, make_test_scope
from werkzeug.datastructures import Headers

# The options of `send_request`; requests with others need Quart's client.
OPTIONS = frozenset({"method", "headers", "data", "json"})


async def send_request(app: Quart, path: str, *, method: str = "GET", headers: Any = None, **body: Any) -> Response:
    """Send a request as Quart's client would, and return the answer."""
    request_headers, url_path, query = make_test_headers_path_and_query_string(app, path, headers)
    data, body_headers = make_test_body_with_headers(**body)
    request_headers.update(body_headers)
    scope = make_test_scope("http", url_path, method, request_headers, query, "http", "", "1.1", None)
    exchange = _AsgiExchange(data)
    # In a separate task, like in a server: context variables that the application sets stay there.
    await asyncio.create_task(app(scope, exchange.receive, exchange.send))
    return app.response_class(bytes(exchange.body), exchange.status, exchange.headers)


class _AsgiExchange:
    """The ``receive`` and ``send`` functions of one request."""

    def __init__(self, data: bytes) -> None:
        self._messages: list[dict[str, Any]] = [
            {"type": "http.request", "body": data, "more_body": True},
            {"type": "http.request", "body": b"", "more_body": False},
        ]
        self.status: int | None = None
        self.headers = Headers()
        self.body = bytearray()

    async def receive(self) -> Any:
        if not self._messages:
            # The client stays connected and sends nothing more.
            await asyncio.Event().wait()
        return self._messages.pop(0)

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = Headers([(name.decode(), value.decode()) for name, value in message["headers"]])
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")
