"""A test client that validates every answer against its schema."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import jsonschema
import orjson
from pydantic import TypeAdapter
from quart import Response
from quart.testing import QuartClient

from comanda.contracts.registry import Registry
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.devkit.testing import exchange
from comanda.platform import runtime

# Clients of these paths use no cookies.
COOKIELESS_PREFIXES = (API_PREFIX, "/mcp")
# Texts that reveal Python representations, classes or pydantic's own messages.
PYTHON = re.compile(
    r"<\w+\.\w+|\b[A-Z]\w+\.[A-Z_]{2,}\b|Input should|Value error|instance of|NoneType|object at 0x|pydantic"
)


class CheckedClient(QuartClient):
    """Quart's test client; it raises ``AssertionError`` for a JSON answer that violates the schema of its route."""

    async def open(self, path: str, **options: Any) -> Response:
        """Send a request and validate the answer."""
        response = await self._answer(path, **options)
        if response.content_type != "application/json":
            return response
        route = _find_route(options.get("method", "GET"), path.partition("?")[0])
        if path.startswith(API_PREFIX) or (route is not None and route.is_documented):
            check_answer(route, response.status_code, orjson.loads(await response.get_data()))
        return response

    async def _answer(self, path: str, **options: Any) -> Response:
        plain = path.startswith(COOKIELESS_PREFIXES) and options.keys() <= exchange.OPTIONS
        if plain and not self.cookie_jar and not self.preserve_context:
            return await exchange.send_request(self.app, path, **options)
        response: Response = await super().open(path, **options)
        return response


def check_answer(route: Route | None, status: int, document: Any) -> None:
    """Raise ``AssertionError`` for an error without the envelope, or a document that violates the route's schema."""
    if status >= 400:
        _check_envelope(document)
    elif route is not None:
        _check_document(route, document)


def _check_envelope(document: Any) -> None:
    assert isinstance(document, dict), document
    assert isinstance(document.get("message"), str), document
    assert isinstance(document.get("code"), str), document
    assert ("errors" in document) == (document["code"] == "validation_failed"), document
    assert not PYTHON.search(str(document.get("errors", ""))), f"The message contains Python names: {document}"


def _check_document(route: Route, document: Any) -> None:
    is_valid, validator = _get_validators(route.binding.answers)
    if is_valid(document):
        return
    problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    assert not problems, f"{route.method} {route.full_path} violates its schema: {problems}"


@cache
def _get_validators(annotation: Any) -> tuple[Callable[[Any], bool], jsonschema.Draft202012Validator]:
    """Return what finds out whether a document fits, and what finds its problems, which takes 200 times as long."""
    schema = TypeAdapter(annotation).json_schema(mode="serialization")
    found = jsonschema.Draft202012Validator(schema)
    if find_spec("jsonschema_rs") is None:
        return found.is_valid, found
    return import_module("jsonschema_rs").Draft202012Validator(schema).is_valid, found


def _find_route(method: str, path: str) -> Route | None:
    steps = path.split("/")
    for template, route in _list_templates(runtime.registry()).get((method, len(steps)), ()):
        if all(map(_matches_segment, template, steps)):
            return route
    return None


# Tests create their own registries, so only the last few are cached.
@lru_cache(maxsize=8)
def _list_templates(registry: Registry) -> dict[tuple[str, int], list[tuple[list[str], Route]]]:
    found: dict[tuple[str, int], list[tuple[list[str], Route]]] = {}
    for route in registry.routes:
        template = route.full_path.split("/")
        found.setdefault((route.method, len(template)), []).append((template, route))
    return found


def _matches_segment(expected: str, given: str) -> bool:
    return expected == given or expected.startswith("{")
