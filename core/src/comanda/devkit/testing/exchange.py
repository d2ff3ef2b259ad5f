"""One plain request to an application and its answer, with less around it than Quart's test client has.

Most requests of a test run are this: no form, no files, no cookies. Quart's client takes as long for each as the
application does.
"""

import asyncio
from typing import Any

from quart import Quart, Response
from quart.testing import (
    make_test_body_with_headers,
    make_test_headers_path_and_query_string,
    make_test_scope,
)
from werkzeug.datastructures import Headers

# What `exchange` takes; whoever wants more of a request leaves it to Quart's client.
OPTIONS = frozenset({"method", "headers", "data", "json"})


async def send_request(app: Quart, path: str, *, method: str = "GET", headers: Any = None, **body: Any) -> Response:
    """Send a request, as Quart's client would make it, and return the answer."""
    asked, where, query = make_test_headers_path_and_query_string(app, path, headers)
    data, about_it = make_test_body_with_headers(**body)
    asked.update(about_it)
    scope = make_test_scope("http", where, method, asked, query, "http", "", "1.1", None)
    told = _AsgiExchange(data)
    # A task of its own, as a server makes one: what the application sets in its context stays there.
    await asyncio.create_task(app(scope, told.receive, told.send))
    return app.response_class(bytes(told.body), told.status, told.headers)


class _AsgiExchange:
    """Both ends of the exchange, as ASGI has them."""

    def __init__(self, data: bytes) -> None:
        self._asked: list[dict[str, Any]] = [
            {"type": "http.request", "body": data, "more_body": True},
            {"type": "http.request", "body": b"", "more_body": False},
        ]
        self.status: int | None = None
        self.headers = Headers()
        self.body = bytearray()

    async def receive(self) -> Any:
        if not self._asked:
            # A client that stays for its answer says nothing more.
            await asyncio.Event().wait()
        return self._asked.pop(0)

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = Headers([(name.decode(), value.decode()) for name, value in message["headers"]])
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")
