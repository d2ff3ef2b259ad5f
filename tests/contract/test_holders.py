"""A token that belongs to somebody in a store reaches what is theirs: asked of every route that takes such a token."""

import pytest
from comanda.contracts.routes import API_PREFIX
from installed_plugins import get_registry
from route_requests import called, everything_of, send
from workshop import HOLDERS, Workshop

ROUTES = [
    pytest.param(kind, route, id=f"{kind} {called(route)}")
    for route in get_registry().routes
    for kind in route.callers
    # An app acts for an owner rather than for somebody in a store; the marketplace tests its routes.
    if kind in HOLDERS and kind != "app"
]
WITH_PARAMETERS = [each for each in ROUTES if each.values[1].binding.path_parameters]
READS = [each for each in ROUTES if each.values[1].method == "GET" and not each.values[1].binding.path_parameters]


pytestmark = pytest.mark.usefixtures("short_streams")


@pytest.fixture
def person(client):
    """Return a function that makes somebody of a kind in a store of its own, and gives the workshop and the headers."""

    async def make(kind, owner, marker):
        workshop = Workshop(client, owner, await owner.store(), marker)
        return workshop, await HOLDERS[kind](workshop)

    return make


def test_there_is_something_to_test():
    assert {each.values[0] for each in WITH_PARAMETERS} == {"customer", "driver", "staff"}


@pytest.mark.parametrize(("kind", "route"), WITH_PARAMETERS)
async def test_what_is_somebody_elses_looks_missing_and_stays_as_it_is(client, owner, other_owner, person, kind, route):
    mine, headers = await person(kind, owner, "Mine")
    beside, _ = await person(kind, owner, "Beside")
    foreign, _ = await person(kind, other_owner, "Foreign")
    own_ids = await mine.ids_of(route)
    body = await mine.body_of(route, own_ids)
    # The first use of a token leaves its mark on it, so that is made before.
    await client.get(f"{API_PREFIX}/{kind}/me", headers=headers)

    for theirs, of_whom in ((beside, owner), (foreign, other_owner)):
        ids = await theirs.ids_of(route)
        before = await everything_of(of_whom)
        status, answer = await send(client, route, ids, headers, body)
        assert (status, answer["code"]) == (404, "not_found"), answer
        assert await everything_of(of_whom) == before

    # The same request goes through where it is one's own: so it was about whose it is.
    status, answer = await send(client, route, own_ids, headers, body)
    assert 200 <= status < 300, answer


@pytest.mark.parametrize(("kind", "route"), READS)
async def test_lists_tell_of_nobody_else(client, owner, other_owner, person, kind, route):
    _, headers = await person(kind, owner, "Mine")
    await person(kind, owner, "Beside")
    await person(kind, other_owner, "Foreign")

    response = await client.get(route.full_path, headers=headers)

    text = await response.get_data(as_text=True)
    assert response.status_code == 200, text
    assert "Beside" not in text
    assert "Foreign" not in text


@pytest.mark.parametrize(("kind", "route"), ROUTES)
async def test_an_owners_token_is_none_of_theirs(client, owner, kind, route):
    if "owner" in route.callers:
        pytest.skip("owners may call it too")

    status, answer = await send(client, route, [1] * len(route.binding.path_parameters), owner.auth, None)

    assert (status, answer["code"]) == (401, "unauthenticated")
