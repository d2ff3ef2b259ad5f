"""A token that belongs to somebody in a store reaches what is theirs: asked of every route that takes such a token.

``test_writes.py`` tries writes with the ids of others.
"""

import pytest
from installed_plugins import get_registry
from route_requests import called, get_code, send
from sweep import sweep
from workshop import HOLDERS

pytestmark = pytest.mark.usefixtures("short_streams")


@pytest.fixture(scope="module")
def routes():
    """Return the kinds of callers and the routes of these people."""
    return [
        (kind, route)
        for route in get_registry().routes
        for kind in route.callers
        # An app acts for an owner rather than for somebody in a store; the marketplace tests its routes.
        if kind in HOLDERS and kind != "app"
    ]


async def test_what_is_somebody_elses_looks_missing(world, tally, routes):
    with sweep(at_least=5) as checks:
        for kind, route in routes:
            if route.method != "GET" or not route.binding.path_parameters:
                continue
            with checks.check(f"{kind} {called(route)}"):
                mine, headers = await world.person(kind, world.owner, "Mine")
                for owner, marker in ((world.owner, "Beside"), (world.other_owner, "Foreign")):
                    theirs, _ = await world.person(kind, owner, marker)
                    ids = await theirs.ids_of(route)
                    await tally.take()
                    status, answer = await send(world.client, route, ids, headers, None)
                    assert (status, get_code(answer)) == (404, "not_found"), answer
                    assert await tally.take() == {}

                # The same request goes through where it is one's own: so it was about whose it is.
                status, answer = await send(world.client, route, await mine.ids_of(route), headers, None)
                assert 200 <= status < 300, answer


async def test_lists_tell_of_nobody_else(world, routes):
    with sweep(at_least=20) as checks:
        for kind, route in routes:
            if route.method != "GET" or route.binding.path_parameters:
                continue
            with checks.check(f"{kind} {called(route)}"):
                _, headers = await world.person(kind, world.owner, "Mine")
                await world.person(kind, world.owner, "Beside")
                await world.person(kind, world.other_owner, "Foreign")

                response = await world.client.get(route.full_path, headers=headers)

                text = await response.get_data(as_text=True)
                assert response.status_code == 200, text
                assert "Beside" not in text
                assert "Foreign" not in text


async def test_an_owners_token_is_none_of_theirs(world, routes):
    with sweep(at_least=60) as checks:
        for kind, route in routes:
            if "owner" in route.callers:
                continue
            with checks.check(f"{kind} {called(route)}"):
                ids = [1] * len(route.binding.path_parameters)
                status, answer = await send(world.client, route, ids, world.owner.auth, None)
                assert (status, get_code(answer)) == (401, "unauthenticated"), answer
