"""Nobody reaches another owner's data: asked of every route that the router has, not of a list kept by hand.

``test_writes.py`` tries writes with the ids of others.
"""

from dataclasses import replace

import pytest
from comanda.accounts import services
from comanda.composition.app import create_app
from comanda.contracts import scopes
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.routes import ANY_SCOPE
from comanda.devkit.testing.client import CheckedClient
from comanda.platform import runtime as runtime_module
from installed_plugins import get_registry
from route_requests import NOBODYS, called, get_code, list_mixtures, send
from sweep import sweep
from workshop import positions

STRANGER = CallerKind("stranger", "str_")


@pytest.fixture(scope="module")
def routes():
    """Return the routes that owners call."""
    return [route for route in get_registry().routes if "owner" in route.callers]


@pytest.fixture(scope="module")
def with_parameters(routes):
    return [route for route in routes if route.binding.path_parameters]


async def test_another_owners_ids_look_missing(world, tally, with_parameters):
    with sweep(at_least=100) as checks:
        for route in with_parameters:
            if route.method != "GET":
                continue
            with checks.check(called(route)):
                theirs, mine = await world.sides_of(route)
                ids, own_ids = await theirs.ids_of(route), await mine.ids_of(route)
                await tally.take()
                for mixture in list_mixtures(own_ids, ids):
                    status, answer = await send(world.client, route, mixture, mine.owner.auth, None)
                    assert (status, get_code(answer)) == (404, "not_found"), (mixture, answer)
                assert await tally.take() == {}
                # The same request of their owner's own goes through: so it was the owner that the refusals were about.
                status, answer = await send(world.client, route, ids, theirs.owner.auth, None)
                assert 200 <= status < 300, answer


async def test_an_id_that_nobody_has_looks_as_another_owners_does(world, with_parameters):
    with sweep(at_least=200) as checks:
        for route in with_parameters:
            with checks.check(called(route)):
                theirs, mine = await world.sides_of(route)
                ids = await theirs.ids_of(route)
                body = await theirs.body_of(route, ids)

                _, foreign = await send(world.client, route, ids, mine.owner.auth, body)
                _, missing = await send(world.client, route, [NOBODYS] * len(ids), mine.owner.auth, body)

                assert get_code(foreign), foreign
                assert {**foreign, "request_id": None} == {**missing, "request_id": None}


async def test_a_token_without_the_scope_gets_403_whether_or_not_the_id_exists(world, tally, routes):
    of_owners, lacking = get_registry().list_scopes("owner"), {}
    with sweep(at_least=200) as checks:
        for route in routes:
            if route.scope == ANY_SCOPE:
                continue
            with checks.check(called(route)):
                theirs, _ = await world.sides_of(route)
                ids = await theirs.ids_of(route)
                key = (theirs.owner.id, route.scope)
                if key not in lacking:
                    others = [scope for scope in of_owners if not scopes.is_granted([scope], route.scope)]
                    lacking[key] = await theirs.owner.token_with(*others)
                await tally.take()
                for numbers in (ids, [NOBODYS] * len(ids), ["x"] * len(ids)):
                    status, answer = await send(world.client, route, numbers, lacking[key], None)
                    assert (status, get_code(answer)) == (403, "forbidden"), (numbers, answer)
                    assert answer["required"] == route.scope
                assert await tally.take() == {}


async def test_no_token_is_401_whether_or_not_the_id_exists(world, routes):
    with sweep(at_least=250) as checks:
        for route in routes:
            with checks.check(called(route)):
                theirs, _ = await world.sides_of(route)
                ids = await theirs.ids_of(route)
                for numbers in (ids, [NOBODYS] * len(ids), ["x"] * len(ids)):
                    status, answer = await send(world.client, route, numbers, {}, None)
                    assert (status, get_code(answer)) == (401, "unauthenticated"), answer


@pytest.fixture
async def stranger(app, world):
    """Return a client of an application that knows another kind of token too, and one of these that may do all."""
    made = runtime_module.current()
    kinds = {**made.registry.caller_kinds, STRANGER.code: STRANGER}
    other = create_app(replace(made, registry=replace(made.registry, caller_kinds=kinds)), with_background=False)
    other.test_client_class = CheckedClient
    issued = await services.issue_token(STRANGER, world.owner.id, ["*"], name="test")
    return other.test_client(), {"Authorization": f"Bearer {issued.secret}"}


async def test_a_token_of_the_wrong_kind_is_401(stranger, routes):
    client, auth = stranger
    with sweep(at_least=250) as checks:
        for route in routes:
            with checks.check(called(route)):
                status, answer = await send(client, route, [NOBODYS] * len(positions(route)), auth, None)
                assert (status, get_code(answer)) == (401, "unauthenticated"), answer
