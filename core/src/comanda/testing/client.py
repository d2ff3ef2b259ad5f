"""A test client that holds every answer against the schema that OpenAPI promises for it."""

from functools import cache
from typing import Any

import jsonschema
from pydantic import TypeAdapter
from quart import Response
from quart.testing import QuartClient

from comanda import runtime
from comanda.http.routes import API_PREFIX, Route


class CheckedClient(QuartClient):
    """Quart's test client; it raises ``AssertionError`` for a JSON answer that breaks its route's schema."""

    async def open(self, path: str, **options: Any) -> Response:
        """Send a request and check the answer."""
        response: Response = await super().open(path, **options)
        if path.startswith(API_PREFIX) and response.content_type == "application/json":
            document = await response.get_json()
            if response.status_code >= 400:
                _check_envelope(document)
            elif (route := _route(options.get("method", "GET"), path.partition("?")[0])) is not None:
                _check(route, document)
        return response


def _check_envelope(document: Any) -> None:
    assert isinstance(document, dict), document
    assert isinstance(document.get("message"), str), document
    assert isinstance(document.get("code"), str), document
    assert ("errors" in document) == (document["code"] == "validation_failed"), document


def _check(route: Route, document: Any) -> None:
    validator = _validator(route.binding.answers)
    problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    assert not problems, f"{route.method} {route.full_path} breaks its schema: {problems}"


@cache
def _validator(annotation: Any) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(TypeAdapter(annotation).json_schema(mode="serialization"))


def _route(method: str, path: str) -> Route | None:
    steps = path.split("/")
    for route in runtime.registry().routes:
        template = route.full_path.split("/")
        if route.method == method and len(template) == len(steps) and all(map(_fits, template, steps)):
            return route
    return None


def _fits(expected: str, given: str) -> bool:
    return expected == given or expected.startswith("{")
