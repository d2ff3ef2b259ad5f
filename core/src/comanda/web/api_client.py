"""The API as a page uses it: the routes, called for the person who is signed in."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import orjson

from comanda.basics.encoding import to_request_json
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import JSON, Answer
from comanda.platform.http.internal_api import InternalApi, QueryValue, RequestOrigin

_known_answers: ContextVar[dict[str, Any] | None] = ContextVar("known_answers", default=None)


@contextmanager
def reuse_answers() -> Iterator[None]:
    """Call each route once by GET while a block runs that only reads, such as a page with its panels."""
    token = _known_answers.set({})
    try:
        yield
    finally:
        _known_answers.reset(token)


@dataclass(frozen=True, slots=True)
class ApiClient:
    """Calls the routes of the API as the person who is signed in. Paths are those of the declaration, below /api/v1.

    Values are those that the API sends, before they are encoded: money as numbers, times as ``datetime``. Raises the
    errors of the API.
    ``form_key`` identifies the form that was sent, so that sending it twice with the same fields acts once, where the
    route takes an idempotency key.
    """

    internal: InternalApi
    caller: Caller
    origin: RequestOrigin
    form_key: str | None = None

    def has(self, method: str, path: str) -> bool:
        """Return whether a route is installed and open to the person."""
        return self.internal.may(self.caller, method, path)

    async def get(self, path: str, *, query: Mapping[str, QueryValue] | None = None, **parameters: Any) -> Any:
        """Return what a route answers. ``parameters`` are those of the path, such as ``id`` and ``orderId``."""
        known = _known_answers.get()
        if known is None:
            return await self.request("GET", path, query=query, **parameters)
        call = repr((path, query, parameters))
        if call not in known:
            known[call] = await self.request("GET", path, query=query, **parameters)
        return known[call]

    async def post(self, path: str, body: object = None, **parameters: Any) -> Any:
        """Send a body by POST and return the answer."""
        return await self.request("POST", path, body=body, **parameters)

    async def put(self, path: str, body: object = None, **parameters: Any) -> Any:
        """Send a body by PUT and return the answer."""
        return await self.request("PUT", path, body=body, **parameters)

    async def patch(self, path: str, body: object = None, **parameters: Any) -> Any:
        """Send a body by PATCH and return the answer."""
        return await self.request("PATCH", path, body=body, **parameters)

    async def delete(self, path: str, **parameters: Any) -> Any:
        """Call a route by DELETE and return the answer, which mostly is None."""
        return await self.request("DELETE", path, **parameters)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, QueryValue] | None = None,
        body: object = None,
        content_type: str = JSON,
        **parameters: Any,
    ) -> Any:
        """Call a route and return the values of its answer; ``body`` may be bytes of the content type."""
        answer = await self.send(method, path, query=query, body=body, content_type=content_type, **parameters)
        if isinstance(answer.body, bytes):
            return orjson.loads(answer.body) if answer.body else None
        return answer.body

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, QueryValue] | None = None,
        body: object = None,
        content_type: str = JSON,
        **parameters: Any,
    ) -> Answer:
        """Call a route and return its answer as it is, such as a file; ``body`` may be bytes of the content type."""
        return await self.internal.call(
            self.caller, self.origin, method, path, parameters=parameters, query=query, body=body,
            content_type=content_type, idempotency_key=self._get_idempotency_key(method, path, parameters, body),
        )  # fmt: skip

    def _get_idempotency_key(self, method: str, path: str, parameters: Mapping[str, Any], body: object) -> str | None:
        """Return a key that differs where the call differs, as a form may be sent again after a correction."""
        if self.form_key is None or method == "GET":
            return None
        sent = body if isinstance(body, bytes) else to_request_json(body)
        parts = (self.form_key.encode(), method.encode(), path.encode(), to_request_json(parameters), sent)
        return hashlib.sha256(b"\n".join(parts)).hexdigest()
