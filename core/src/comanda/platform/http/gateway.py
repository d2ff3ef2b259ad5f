"""The gateway for declared routes; everything else is handled by Quart.

A declared route needs none of Quart's request globals, sessions or signals, and skipping them halves the cost of a
request. So the application's ASGI connection class looks up a path among the declared routes first and passes unknown
paths on to Quart, except under the API prefix, where every answer has the API envelope.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import lru_cache
from time import perf_counter
from typing import Any

from prometheus_client import Counter, Histogram
from werkzeug.exceptions import MethodNotAllowed as WerkzeugMethodNotAllowed
from werkzeug.exceptions import NotFound as WerkzeugNotFound
from werkzeug.routing import Map, RequestRedirect

from comanda.basics import errors
from comanda.contracts.registry import Registry
from comanda.contracts.requests.calls import JSON, Answer, Call
from comanda.contracts.requests.routes import API_PREFIX, ApiProtocol, Route
from comanda.platform import tracing
from comanda.platform.audit_log.operations import AuditedOperation, RouteRunner
from comanda.platform.deadlines import ClientDisconnected, Deadline, DeadlineExceeded
from comanda.platform.http import cors
from comanda.platform.http.access import Access, check_store
from comanda.platform.http.answers import create_timeout_error, to_answer
from comanda.platform.http.rest import REST, get_protocol
from comanda.platform.http.stored_answers import run_once
from comanda.platform.observability import ACCESS, REQUEST_SECONDS, REQUESTS, plugin_var, request_id_var
from comanda.platform.routing_rules import LazyRule

ENCODED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
REQUEST_ID = re.compile(r"[A-Za-z0-9_.:-]{1,100}")
DOUBLED_PREFIX = API_PREFIX + API_PREFIX
WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})
WITHOUT_CONTENT = frozenset({204, 304})
MAX_MATCHES = 1000

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class Gateway:
    """Answers requests for the declared routes: access, limits, arguments, handler, envelope, headers."""

    def __init__(
        self,
        registry: Registry,
        access: Access,
        cross_origin: cors.Policy,
        limits: "BodyReader",
        timeout_seconds: float,
    ) -> None:
        routes = registry.routes
        self._access = access
        self._cors = cross_origin
        self._body_reader = limits
        self._timeout_seconds = timeout_seconds
        self._plugins = {id(route): registry.plugin_of(route) for route in routes}
        self._audited = {id(route): AuditedOperation(route) for route in routes if AuditedOperation.applies_to(route)}
        rules = [
            LazyRule(re.sub(r"\{(\w+)\}", r"<\1>", route.full_path), methods=[route.method], endpoint=route)
            for route in routes
        ]
        # Most requests are for the paths of a few busy stores. Unknown paths raise, so they take no room.
        self._match = lru_cache(MAX_MATCHES)(Map(rules, strict_slashes=False, merge_slashes=False).bind("").match)

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | errors.ComandaError | None:
        """Return a route and its path parameters, the error to answer with, or None for a request to Quart."""
        try:
            found: tuple[Any, Any] = self._match(path, method)
        except WerkzeugMethodNotAllowed as error:
            allowed = sorted({*(error.valid_methods or ()), "OPTIONS"})
            return errors.MethodNotAllowed(headers={"Allow": ", ".join(allowed)})
        except (WerkzeugNotFound, RequestRedirect):
            return errors.NotFound() if path == API_PREFIX or path.startswith(API_PREFIX + "/") else None
        return found

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> bool:
        """Handle one request; return False if nothing was sent and Quart should handle it."""
        path = _normalize_path(scope["path"])
        found = self.find(scope["method"], path)
        if found is None:
            return False
        if ENCODED_SLASH.search(scope.get("raw_path") or b""):
            # It is part of a segment, which no identifier has, and not what divides segments.
            found = errors.NotFound()
        started = perf_counter()
        call = self._to_call(scope, path)
        request_id_var.set(call.request_id)
        if isinstance(found, errors.ComandaError):
            route, answer = None, await self._refuse(call, found)
        else:
            route = found[0]
            plugin_var.set(self._plugins[id(route)])
            answer = await self._serve(route, found[1], call, receive)
        await _send(send, receive, answer, without_body=call.method == "HEAD")
        _log_request(route, call, answer.status or 200, perf_counter() - started)
        return True

    def _to_call(self, scope: Any, path: str) -> Call:
        headers: dict[str, str] = {}
        for raw_name, raw_value in scope["headers"]:
            name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
            if headers.setdefault(name, value) is not value and name == "x-forwarded-for":
                # Each proxy may add its own line.
                headers[name] += f",{value}"
        given = headers.get("x-request-id", "")
        return Call(
            method=scope["method"],
            path=path,
            headers=headers,
            query_string=scope["query_string"].decode("latin-1"),
            body=b"",
            client=self._access.client_address(scope, headers),
            request_id=given if REQUEST_ID.fullmatch(given) else secrets.token_hex(16),
            limiter=self._access,
        )

    async def _serve(self, route: Route, path: dict[str, str], call: Call, receive: Receive) -> Answer:
        try:
            await get_protocol(route).admit(self._access, route.access, call)
            check_store(route, path, call.caller)
            if call.method in WITH_BODY:
                call.body = await self._body_reader.read(call, receive, route)
            arguments = route.binding.arguments(call, path)
            operation = self._audited.get(id(route))
            run = self._limit_time(route, call, receive)
            if operation is None:
                result = await run(arguments)
            else:
                result = await operation.run(run, arguments, call, path)
            answer = to_answer(result, route.status)
        except (Exception, SystemExit) as error:
            answer = get_protocol(route).error_answer(error, call)
        return self._complete(answer, call, route)

    def _limit_time(self, route: Route, call: Call, receive: Receive) -> RouteRunner:
        """Return what runs the route's handler, cancelled after the time limit or when the client has disconnected.

        The parts of a streamed answer are sent after the handler, and have no limit.
        """

        async def run(arguments: Mapping[str, Any]) -> Any:
            try:
                with Deadline(self._timeout_seconds, receive):
                    return await run_once(route, arguments, call)
            except DeadlineExceeded as error:
                raise create_timeout_error(self._timeout_seconds) from error
            except ClientDisconnected as error:
                raise errors.BadRequest("The connection closed before the answer was ready.") from error

        return run

    async def _refuse(self, call: Call, refusal: errors.ComandaError) -> Answer:
        """Return the answer for an unknown path or method; it counts against the rate limit of the client's address."""
        protocol = self._find_protocol(call.path, refusal)
        try:
            await protocol.admit_unknown(self._access, call)
            if call.method != "OPTIONS" or not isinstance(refusal, errors.MethodNotAllowed):
                raise refusal
        except errors.ComandaError as error:
            return self._complete(protocol.error_answer(error, call), call, None)
        route, _ = self._find_requested_route(call)
        preflight = self._cors.preflight(call, route, refusal.headers["Allow"])
        return self._complete(Answer(status=204, headers=preflight), call, route)

    def _find_protocol(self, path: str, refusal: errors.ComandaError) -> ApiProtocol:
        # If only the method is wrong, the path belongs to a route, which any allowed method finds.
        for method in refusal.headers.get("Allow", "").split(", "):
            if isinstance(found := self.find(method, path), tuple):
                return get_protocol(found[0])
        return REST

    def _find_requested_route(self, call: Call) -> tuple[Route | None, dict[str, str]]:
        found = self.find(call.headers.get("access-control-request-method", "GET"), call.path)
        return found if isinstance(found, tuple) else (None, {})

    def _complete(self, answer: Answer, call: Call, route: Route | None) -> Answer:
        headers = answer.headers
        headers["X-Request-Id"] = call.request_id
        headers.update({name: value for name, value in call.extra_headers.items() if name not in headers})
        if "Cache-Control" not in headers:
            headers["Cache-Control"] = "no-store"
        if "origin" in call.headers:
            headers.update(self._cors.headers(call, route))
        return answer


class BodyReader:
    """Reads request bodies up to a maximum size and duration."""

    def __init__(self, max_bytes: int, timeout_seconds: float) -> None:
        self._max_bytes = max_bytes
        self._timeout_seconds = timeout_seconds

    async def read(self, call: Call, receive: Receive, route: Route) -> bytes:
        """Return the body. Raises ``PayloadTooLarge``, ``Timeout``, and ``UnsupportedMediaType``."""
        if call.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
            raise errors.UnsupportedMediaType(
                "Bodies are not decompressed: send them without Content-Encoding.",
                headers={"Accept-Encoding": "identity"},
            )
        max_bytes = max(self._max_bytes, route.upload.max_bytes or 0)
        declared = call.headers.get("content-length", "0")
        if declared.isascii() and declared.isdigit() and int(declared[:20]) > max_bytes:
            raise _create_too_large_error(max_bytes)
        try:
            # One deadline for the whole body: sending a byte now and then does not extend it.
            async with asyncio.timeout(self._timeout_seconds):
                body = await _receive_body(receive, max_bytes)
        except TimeoutError as error:
            raise errors.Timeout from error
        if body and not _accepts_content_type(route, call.headers.get("content-type", JSON)):
            raise errors.UnsupportedMediaType
        return body


async def _receive_body(receive: Receive, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size, is_complete = 0, False
    while not is_complete:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise errors.BadRequest("The connection closed before the body was complete.")
        if part := message.get("body", b""):
            parts.append(part)
            size += len(part)
        if size > max_bytes:
            raise _create_too_large_error(max_bytes)
        is_complete = not message.get("more_body", False)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _create_too_large_error(max_bytes: int) -> errors.PayloadTooLarge:
    return errors.PayloadTooLarge(f"The body is larger than {max_bytes} bytes.")


def _accepts_content_type(route: Route, content_type: str) -> bool:
    """Return whether a route accepts this content type; one without a model and declared types accepts any."""
    if route.binding.body is None and not route.upload.content_types:
        return True
    kind = content_type.partition(";")[0].strip().lower()
    is_json = kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))
    return is_json or kind in route.upload.content_types


def _normalize_path(path: str) -> str:
    # Clients generated from the OpenAPI document join its server URL and paths, which both contain the prefix.
    return path[len(API_PREFIX) :] if path == DOUBLED_PREFIX or path.startswith(DOUBLED_PREFIX + "/") else path


async def _send(send: Send, receive: Receive, answer: Answer, *, without_body: bool) -> None:
    body = answer.body
    is_stream = isinstance(body, AsyncGenerator)
    status = answer.status or 200
    headers = [(_encode_header_name(name), value.encode("latin-1")) for name, value in answer.headers.items()]
    if status not in WITHOUT_CONTENT:
        headers.append((b"content-type", answer.content_type.encode()))
        if not is_stream:
            headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if is_stream:
        if not without_body:
            await _send_stream(send, receive, body)
        body = b""
    await send({"type": "http.response.body", "body": b"" if without_body else body, "more_body": False})


async def _send_stream(send: Send, receive: Receive, parts: AsyncGenerator[bytes, None]) -> None:
    """Send parts as they come until there are no more or the client disconnects.

    An error is raised, so that the server closes the connection: the client must not take the parts for all of them.
    """

    async def forward() -> None:
        async with aclosing(parts):
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})

    async def wait_for_disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.ensure_future(forward()), asyncio.ensure_future(wait_for_disconnect())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    if isinstance(failure := outcomes[0], Exception):
        raise failure


@lru_cache(maxsize=200)
def _encode_header_name(name: str) -> bytes:
    return name.lower().encode("latin-1")


@lru_cache(maxsize=2000)
def _get_metrics(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    # Looking up a metric by its labels costs more than updating it.
    return REQUESTS.labels(method, route, str(status)), REQUEST_SECONDS.labels(route)


def _log_request(route: Route | None, call: Call, status: int, seconds: float) -> None:
    count, duration = _get_metrics(call.method if route else "any", route.full_path if route else "unknown", status)
    count.inc()
    duration.observe(seconds)
    tracing.describe_request(call.method, route.full_path if route else "unknown", status)
    ACCESS.write(
        "request",
        method=call.method,
        path=call.path,
        query=call.query_string,
        status=status,
        ms=round(seconds * 1000, 1),
        caller=call.caller.actor if call.caller else None,
        request_id=call.request_id,
        plugin=plugin_var.get(),
        **tracing.get_ids(),
    )
