"""Nobody reaches another owner's data: asked of every route that the router has, not of a list kept by hand."""

from dataclasses import replace

import pytest
from comanda import runtime as runtime_module
from comanda.accounts import services
from comanda.app import create_app
from comanda.contracts import scopes
from comanda.contracts.callers import CallerKind
from comanda.contracts.routes import ANY_SCOPE, API_PREFIX
from comanda.devkit.testing.client import CheckedClient
from installed_plugins import get_registry
from route_requests import called, everything_of, send
from workshop import Workshop, positions

REGISTRY = get_registry()
ROUTES = [route for route in REGISTRY.routes if "owner" in route.callers]
WITH_PARAMETERS = [route for route in ROUTES if route.binding.path_parameters]
WITH_SCOPE = [route for route in ROUTES if route.scope != ANY_SCOPE]

NOBODYS = 987_654_321_000
STRANGER = CallerKind("stranger", "str_")


def test_there_is_something_to_test():
    assert len(WITH_PARAMETERS) >= 15
    assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= {route.method for route in WITH_PARAMETERS}


@pytest.mark.parametrize("route", WITH_PARAMETERS, ids=called)
async def test_another_owners_ids_look_missing_and_stay_as_they_are(client, owner, other_owner, route):
    theirs, mine = Workshop(client, owner), Workshop(client, other_owner)
    ids, own_ids = await theirs.ids_of(route), await mine.ids_of(route)
    body, own_body = await theirs.body_of(route, ids), await mine.body_of(route, own_ids)
    # The first use of a token leaves its mark on it, so that is made before.
    await client.get(f"{API_PREFIX}/me", headers=other_owner.auth)
    before = await everything_of(owner)
    mine_before = await everything_of(other_owner)

    # Every mixture of own ids in front and foreign ones behind, and foreign ones in front of own: none may pass.
    mixtures = {(*own_ids[:place], *ids[place:]) for place in range(len(ids))}
    mixtures |= {(*ids[:place], *own_ids[place:]) for place in range(1, len(ids))}
    # A name such as that of a language is nobody's: where both owners' are the same, nothing is mixed.
    mixtures.discard(tuple(own_ids))
    for mixture in sorted(mixtures):
        for sent in [body] if body == own_body else [body, own_body]:
            status, answer = await send(client, route, mixture, other_owner.auth, sent)
            assert (status, answer["code"]) == (404, "not_found"), (mixture, answer)

    assert await everything_of(owner) == before
    assert await everything_of(other_owner) == mine_before
    # The same request of their owner's own goes through: so it was the owner that the refusals were about.
    status, answer = await send(client, route, ids, owner.auth, body)
    assert 200 <= status < 300, answer


@pytest.mark.parametrize("route", WITH_PARAMETERS, ids=called)
async def test_an_id_that_nobody_has_looks_as_another_owners_does(client, owner, other_owner, route):
    ids = await Workshop(client, owner).ids_of(route)
    body = await Workshop(client, owner).body_of(route, ids)

    _, foreign = await send(client, route, ids, other_owner.auth, body)
    _, missing = await send(client, route, [NOBODYS] * len(ids), other_owner.auth, body)

    assert {**foreign, "request_id": None} == {**missing, "request_id": None}


@pytest.mark.parametrize("route", WITH_SCOPE, ids=called)
async def test_a_token_without_the_scope_gets_403_whether_or_not_the_id_exists(client, owner, route):
    lacking = [scope for scope in REGISTRY.list_scopes("owner") if not scopes.is_granted([scope], route.scope)]
    auth = await owner.token_with(*lacking)
    ids = await Workshop(client, owner).ids_of(route)
    before = await everything_of(owner)

    for numbers in (ids, [NOBODYS] * len(ids), ["x"] * len(ids)):
        status, answer = await send(client, route, numbers, auth, None)
        assert (status, answer["code"], answer["required"]) == (403, "forbidden", route.scope)

    now = await everything_of(owner)
    assert {**now, "core_access_token": None} == {**before, "core_access_token": None}


@pytest.mark.parametrize("route", ROUTES, ids=called)
async def test_no_token_is_401_whether_or_not_the_id_exists(client, owner, route):
    ids = await Workshop(client, owner).ids_of(route)

    for numbers in (ids, [NOBODYS] * len(ids), ["x"] * len(ids)):
        status, answer = await send(client, route, numbers, {}, None)
        assert (status, answer["code"]) == (401, "unauthenticated")


@pytest.fixture(scope="module")
def strange_app(app):
    """Give an application that knows another kind of token too; it is not told of a test's owner, so all share it."""
    made = runtime_module.current()
    kinds = {**made.registry.caller_kinds, STRANGER.code: STRANGER}
    other = create_app(replace(made, registry=replace(made.registry, caller_kinds=kinds)), with_background=False)
    other.test_client_class = CheckedClient
    return other


@pytest.fixture
async def stranger(strange_app, owner):
    """Give a client of that application, and a token of its kind that may do all."""
    issued = await services.issue_token(STRANGER, owner.id, ["*"], name="test")
    return strange_app.test_client(), {"Authorization": f"Bearer {issued.secret}"}


@pytest.mark.parametrize("route", ROUTES, ids=called)
async def test_a_token_of_the_wrong_kind_is_401(stranger, route):
    client, auth = stranger

    status, answer = await send(client, route, [NOBODYS] * len(positions(route)), auth, None)

    assert (status, answer["code"]) == (401, "unauthenticated")
