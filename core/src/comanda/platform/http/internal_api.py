"""Calls of routes from inside the process, for pages that are clients of the API.

A call runs as a request does: the caller's standing, scope, store, entitlement, validation, audit entry and deadline
are those of the route. Only the token is missing, since the person is known by a web session.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from comanda.basics.errors import require_found
from comanda.contracts.registry import Registry
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import JSON, Answer, Call
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.platform.audit_log.operations import AuditedOperation
from comanda.platform.deadlines import Deadline, DeadlineExceeded
from comanda.platform.http.access import Access, authorize, check_store
from comanda.platform.http.answers import create_timeout_error
from comanda.platform.http.stored_answers import run_once
from comanda.platform.observability import plugin_var

QueryValue = str | int | bool | Sequence[str] | None
CALLS_PER_MINUTE: Final = 1200


@dataclass(frozen=True, slots=True)
class RequestOrigin:
    """The request that a page is answering: where it came from, for audit entries and limits."""

    client: str
    request_id: str
    bucket: str


class InternalApi:
    """Runs declared routes for callers that are known already."""

    def __init__(self, registry: Registry, access: Access, timeout_seconds: float) -> None:
        self._access = access
        self._timeout_seconds = timeout_seconds
        # Of a route and its alias under another prefix, the one of the API comes last and stays.
        routes = sorted(registry.routes, key=lambda route: route.prefix == API_PREFIX)
        self._routes = {(route.method, route.full_path.removeprefix(API_PREFIX)): route for route in routes}
        audited = filter(AuditedOperation.applies_to, registry.routes)
        self._audited = {id(route): AuditedOperation(route) for route in audited}
        self._plugins = {id(route): registry.plugin_of(route) for route in registry.routes}

    def find(self, method: str, path: str) -> Route | None:
        """Return the route with this path, such as ``/restaurants/{id}/orders``, or None if it is not installed."""
        return self._routes.get((method, path))

    def may(self, caller: Caller, method: str, path: str) -> bool:
        """Return whether there is such a route and the caller holds what it needs; entitlements are not looked at."""
        route = self.find(method, path)
        return route is not None and route.access.find_refusal(caller) is None

    async def call(
        self,
        caller: Caller,
        origin: RequestOrigin,
        method: str,
        path: str,
        *,
        parameters: Mapping[str, str | int],
        query: Mapping[str, QueryValue] | None = None,
        body: object = None,
        content_type: str = JSON,
        idempotency_key: str | None = None,
    ) -> Answer:
        """Run a route and return its answer, whose body is what the route answers before it is encoded as JSON.

        It is bytes or a stream where the route itself answers with them, and empty bytes where it has no body. ``body``
        is JSON as Python values, or bytes of the ``content_type``. Raises ``NotFound`` if the route is not installed,
        ``Forbidden`` if the caller lacks its scope, and what the route raises.
        """
        route = require_found(self.find(method, path))
        await self._access.check_standing(caller, route.full_path)
        await authorize(route.access, caller)
        await self._access.hit(origin.bucket, CALLS_PER_MINUTE, is_exact=False)
        texts = {name: str(value) for name, value in parameters.items()}
        check_store(route, texts, caller)
        call = Call(
            method=method,
            path=route.full_path,
            headers=_to_headers(content_type, idempotency_key),
            query_string=_to_query_string(query or {}),
            body=body if isinstance(body, bytes) else b"",
            client=origin.client,
            request_id=origin.request_id,
            caller=caller,
            limiter=self._access,
            values=None if isinstance(body, bytes) else body,
        )
        arguments = route.binding.arguments(call, texts)
        outer = plugin_var.set(self._plugins[id(route)])
        try:
            result = await self._run(route, arguments, call, texts)
        finally:
            plugin_var.reset(outer)
        if isinstance(result, Answer):
            return result
        return Answer(b"" if result is None else result, route.status)

    async def _run(self, route: Route, arguments: Mapping[str, Any], call: Call, path: Mapping[str, str]) -> Any:
        async def run(values: Mapping[str, Any]) -> Any:
            try:
                with Deadline(self._timeout_seconds):
                    return await run_once(route, values, call)
            except DeadlineExceeded as error:
                raise create_timeout_error(self._timeout_seconds) from error

        operation = self._audited.get(id(route))
        return await (run(arguments) if operation is None else operation.run(run, arguments, call, path))


def _to_headers(content_type: str, idempotency_key: str | None) -> dict[str, str]:
    headers = {"content-type": content_type}
    if idempotency_key is not None:
        headers["idempotency-key"] = idempotency_key
    return headers


def _to_query_string(query: Mapping[str, QueryValue]) -> str:
    return urlencode({name: value for name, value in query.items() if value not in (None, "")}, doseq=True)
