"""A query parameter that a route does not know changes nothing; the value of one that it knows is checked."""

from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
import pytest_asyncio
from comanda.contracts.requests.routes import API_PREFIX
from holders import Holder, get_kind
from installed_plugins import get_registry
from route_requests import called, filled

ROUTES = [
    route for route in get_registry().routes if route.prefix == API_PREFIX and route.method == "GET" and get_kind(route)
]
UNKNOWN = "utm_source=mail&no_such_parameter=1&_=1764000000&__proto__=x&filter[a]=b"

pytestmark = pytest.mark.usefixtures("short_streams")


def path_of(route):
    return filled(route, [4294967296] * len(route.binding.path_parameters))


def is_choice(annotation: Any) -> bool:
    if get_origin(annotation) in {Union, UnionType}:
        return any(is_choice(argument) for argument in get_args(annotation))
    return get_origin(annotation) is Literal or (isinstance(annotation, type) and issubclass(annotation, Enum))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def holders(app):
    """Create a caller of each kind."""
    return {kind: await Holder.create(app.test_client(), kind) for kind in {*map(get_kind, ROUTES)}}


async def answered(holders, route, query=""):
    holder, address = holders[get_kind(route)], f"{path_of(route)}?{query}".removesuffix("?")
    response = await holder.workshop.client.get(address, headers=holder.headers)
    document = await response.get_json() if response.content_type == "application/json" else {}
    return response.status_code, document.get("errors") if isinstance(document, dict) else None


async def test_an_unknown_parameter_changes_no_answer(holders):
    for route in ROUTES:
        assert await answered(holders, route, UNKNOWN) == await answered(holders, route), called(route)


WITH_CHOICES = [
    (route, field.alias or name)
    for route in ROUTES
    if route.binding.query is not None
    for name, field in route.binding.query.model_fields.items()
    if is_choice(field.annotation)
]


async def test_a_value_that_a_known_parameter_does_not_have_is_told_by_its_name(holders):
    for route, name in WITH_CHOICES:
        status, errors = await answered(holders, route, f"{name}=no-such-value&{UNKNOWN}")

        assert status == 422, (called(route), name)
        assert errors[name][0].startswith("Must be one of: "), (called(route), name, errors)


def test_there_are_choices_to_test():
    assert len(WITH_CHOICES) > 20
