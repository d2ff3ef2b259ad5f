"""Requests that are bound and handled in the process as the gateway does it, from a call that it has admitted."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson
import pytest
from comanda.basics.errors import NotFound
from comanda.contracts.requests.binding import Binding
from comanda.contracts.requests.calls import JSON, Answer, Call
from comanda.contracts.requests.routes import Route
from comanda.devkit.testing.client import check_answer
from comanda.platform.http.answers import to_answer
from comanda.platform.http.rest import get_protocol
from route_requests import filled


@dataclass(frozen=True, slots=True)
class BoundRequest:
    """A request to a route, up to its binding: the admitted ``call`` and the parameters of its ``path``."""

    route: Route
    call: Call
    path: Mapping[str, str]

    def bind(self, *, path: Mapping[str, str] | None = None, **changed: Any) -> dict[str, Any] | Answer:
        """Return the handler's arguments for the call with other fields or parameters, or the answer that refuses it.

        Whatever it raises, apart from an error with a status below 500, is raised.
        """
        call = replace(self.call, extra_headers={}, _query=None, **changed)
        try:
            return self.route.binding.arguments(call, {**self.path, **(path or {})})
        except Exception as error:
            return self._refuse(error)

    async def handle(self, arguments: Mapping[str, Any]) -> Answer:
        """Return the answer of the handler, which must fit the schema of the route, or the envelope of errors."""
        try:
            # In a task of its own, as in a server: context variables that the handler sets stay there.
            result = await asyncio.create_task(self.route.run(arguments))
            answer = to_answer(result, self.route.status)
            if isinstance(answer.body, AsyncGenerator):
                answer.body = b"".join([part async for part in answer.body])
        except Exception as error:
            return self._refuse(error)
        if self.route.is_rest and answer.content_type == JSON and answer.body:
            check_answer(self.route, answer.status or 200, orjson.loads(answer.body))
        return answer

    def _refuse(self, error: Exception) -> Answer:
        answer = get_protocol(self.route).error_answer(error, self.call)
        if (answer.status or 200) >= 500:
            raise error
        if self.route.is_rest:
            check_refusal(answer.status or 200, answer.body)
        return answer


async def capture_request(client: Any, route: Route, ids: list[Any], headers: Mapping[str, str]) -> BoundRequest:
    """Send a request up to the binding of its route, which then refuses it, so that nothing changes."""
    captured: list[BoundRequest] = []

    def capture(binding: Binding, call: Call, path: dict[str, str]) -> None:
        captured.append(BoundRequest(route, call, path))
        raise NotFound

    options = {"data": b"{}"} if route.binding.body is not None else {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Binding, "arguments", capture)
        response = await client.open(
            filled(route, ids), method=route.method, headers={"Content-Type": JSON, **headers}, **options
        )
    assert captured, (route, await response.get_data())
    return captured[0]


def check_refusal(status: int, body: bytes) -> None:
    """Check that a refusal has the envelope, with sentences by field if a value is why."""
    document = orjson.loads(body)
    check_answer(None, status, document)
    assert "request_id" in document, document
    assert ("errors" in document) == (status == 422), document
    if "errors" in document:
        assert document["errors"], document
        assert all(isinstance(line, str) and line for lines in document["errors"].values() for line in lines), document
