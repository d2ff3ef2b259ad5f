"""A query parameter that a route does not know changes nothing; the value of one that it knows is checked."""

import json
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from comanda.contracts.routes import API_PREFIX
from installed_plugins import get_registry
from workshop import HOLDERS, Workshop

REGISTRY = get_registry()
ROUTES = [
    route
    for route in REGISTRY.routes
    if route.prefix == API_PREFIX and route.method == "GET" and {"owner", *HOLDERS} & {*route.callers, "owner"}
]
READING = [route for route in ROUTES if not route.callers or {"owner", *HOLDERS} & {*route.callers}]
UNKNOWN = "utm_source=mail&no_such_parameter=1&_=1764000000&__proto__=x&filter[a]=b"

pytestmark = pytest.mark.usefixtures("short_streams")


def called(route):
    return f"{route.method} {route.path}"


def path_of(route):
    path = route.full_path
    for name in route.binding.path_parameters:
        path = path.replace(f"{{{name}}}", "4294967296")
    return path


def is_choice(annotation: Any) -> bool:
    if get_origin(annotation) in {Union, UnionType}:
        return any(is_choice(argument) for argument in get_args(annotation))
    return get_origin(annotation) is Literal or (isinstance(annotation, type) and issubclass(annotation, Enum))


@pytest.fixture
async def headers(client, owner, route):
    kind = next((kind for kind in HOLDERS if kind in route.callers and "owner" not in route.callers), None)
    if kind is None:
        return owner.auth
    return await HOLDERS[kind](Workshop(client, owner, await owner.store()))


async def answered(client, address, headers):
    response = await client.get(address, headers=headers)
    document = await response.get_json() if response.content_type == "application/json" else {}
    return response.status_code, document.get("errors") if isinstance(document, dict) else None


@pytest.mark.parametrize("route", READING, ids=called)
async def test_an_unknown_parameter_changes_no_answer(client, headers, route):
    path = path_of(route)

    assert await answered(client, f"{path}?{UNKNOWN}", headers) == await answered(client, path, headers)


WITH_CHOICES = [
    (route, field.alias or name)
    for route in READING
    if route.binding.query is not None
    for name, field in route.binding.query.model_fields.items()
    if is_choice(field.annotation)
]


@pytest.mark.parametrize(("route", "name"), WITH_CHOICES, ids=[f"{called(r)} {n}" for r, n in WITH_CHOICES])
async def test_a_value_that_a_known_parameter_does_not_have_is_told_by_its_name(client, headers, route, name):
    status, errors = await answered(client, f"{path_of(route)}?{name}=no-such-value&{UNKNOWN}", headers)

    assert status == 422
    assert errors[name][0].startswith("Must be one of: "), json.dumps(errors)
