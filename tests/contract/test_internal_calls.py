"""Calls of routes inside the process are admitted as requests are: asked of every route and kind of caller."""

from dataclasses import replace

import pytest
from comanda.accounts.callers import find_caller
from comanda.basics.errors import Forbidden
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.routes import ANY_SCOPE, API_PREFIX
from comanda.contracts.scopes import is_granted
from comanda.platform import runtime
from comanda.platform.http.access import Access
from comanda.platform.http.internal_api import InternalApi, RequestOrigin
from comanda.platform.http.rate_limits import RateLimiter
from route_requests import called
from sweep import sweep

ORIGIN = RequestOrigin("192.0.2.1", "request", "session:test")


def list_calls():
    """List the routes with the kinds of callers that they are open to."""
    registry = runtime.registry()
    for kind in registry.caller_kinds.values():
        for route in registry.routes:
            if not route.full_path.startswith(f"{API_PREFIX}/"):
                continue
            if kind.code in route.callers or (route.is_delegable and kind.acts_as in route.callers):
                yield kind, route


async def send(internal, kind, owner, route, scopes):
    caller = Caller(kind.code, 0, owner.id, None, 1, frozenset(scopes), None, acts_as=kind.acts_as)
    parameters = dict.fromkeys(route.binding.path_parameters, 1)
    path = route.full_path.removeprefix(API_PREFIX)
    await internal.call(caller, ORIGIN, route.method, path, parameters=parameters)


async def refuse(caller, path):
    raise Forbidden("Suspended.", extras={"reason": caller.kind, "path": path})


@pytest.mark.usefixtures("app")
async def test_check_of_the_callers_kind_is_asked(owner, tally):
    registry = runtime.registry()
    kinds = {kind.code: replace(kind, check=refuse) for kind in registry.caller_kinds.values()}
    internal = InternalApi(registry, Access(kinds, find_caller, RateLimiter(None), 1000, 0), 30)
    await tally.take()

    with sweep(at_least=350) as checks:
        for kind, route in list_calls():
            with checks.check(f"{kind.code} {called(route)}"):
                with pytest.raises(Forbidden) as refused:
                    await send(internal, kind, owner, route, ["*"])
                assert refused.value.extras == {"reason": kind.code, "path": route.full_path}
                assert await tally.take() == {}


async def test_a_caller_needs_the_scope(app, owner, tally):
    of_owners = runtime.registry().list_scopes("owner")
    await tally.take()
    with sweep(at_least=200) as checks:
        for kind, route in list_calls():
            if "owner" not in route.callers or route.scope == ANY_SCOPE or kind.check is not None:
                continue
            with checks.check(f"{kind.code} {called(route)}"):
                others = [each for each in of_owners if not is_granted([each], route.scope)]
                with pytest.raises(Forbidden) as refused:
                    await send(app.internal_api, kind, owner, route, others)
                assert refused.value.extras == {"required": route.scope}
                assert refused.value.message == "You do not have the permission for this."
                assert await tally.take() == {}
