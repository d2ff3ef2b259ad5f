"""Rules of what routes answer, asked of the running application on a database of its own."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quart.testing import QuartClient

from comanda import runtime
from comanda.accounts import services as accounts
from comanda.app import create_app
from comanda.contracts.routes import API_PREFIX, Route
from comanda.contracts.verticals import KNOWN_CAPABILITIES, Vertical, VerticalGroup
from comanda.devkit.authoring.declarations import place_of
from comanda.devkit.authoring.findings import Finding
from comanda.runtime import Runtime
from comanda.stores import services as stores

NOBODYS = 987_654_321_000
STORE = "/restaurants/{id}"
# A store type with everything that is declared, so that no route refuses its stores for what they are.
STORE_TYPE = "checked"

# What a client may send in any field by mistake or on purpose.
HOSTILE: Sequence[Any] = (None, "", "\0", "x" * 100_000, -1, 10**30, 1.5, True, [], [{}], {})


@dataclass(frozen=True, slots=True)
class _Owner:
    auth: dict[str, str]
    store_id: int


async def findings(made: Runtime, routes: Sequence[Route]) -> list[Finding]:
    """Ask every route of the plugin's for what nobody has and for what is another owner's, and send it nonsense."""
    registry = made.registry
    everything = Vertical(
        STORE_TYPE,
        "Checked",
        VerticalGroup.GOODS,
        tuple(dict.fromkeys((*KNOWN_CAPABILITIES, *registry.item_capabilities))),
        tuple(registry.fulfillment_modes),
    )
    wider = replace(registry, verticals={**registry.verticals, STORE_TYPE: everything})
    made = Runtime(made.settings, wider)
    runtime.use(made)
    app = create_app(made, with_background=False)
    async with app.test_app():
        client = QuartClient(app)
        mine, theirs = await _owner("mine"), await _owner("theirs")
        return [one for route in routes for one in await _judged(client, route, mine, theirs)]


async def _owner(name: str) -> _Owner:
    owner = await accounts.create_owner(f"{name}@example.com", name)
    kind = runtime.registry().caller_kinds["owner"]
    issued = await accounts.issue_owner_token(kind, owner.id, ["*"], name="check")
    store_id = await stores.create_store(owner.id, name, STORE_TYPE, slug=f"checked-{name}")
    return _Owner({"Authorization": f"Bearer {issued.secret}"}, store_id)


async def _judged(client: QuartClient, route: Route, mine: _Owner, theirs: _Owner) -> list[Finding]:
    auth = mine.auth if "owner" in route.callers else {}
    if route.callers and not auth:
        return []
    found: list[Finding] = []
    if auth and route.prefix == API_PREFIX and route.binding.path_parameters:
        for path in sorted({_filled(route, NOBODYS), _filled(route, theirs.store_id)}):
            found += _hidden(route, await _status(client, route, path, auth, b"{}"))
    own = _filled(route, mine.store_id)
    for body in _bodies(route):
        if await _status(client, route, own, auth, body) >= 500:
            found.append(_finding(route, "route-stands", f"answers 5xx to the body {body[:60].decode()}"))
            break
    return found


def _hidden(route: Route, status: int) -> Iterator[Finding]:
    # A body that does not fit may be refused before anything is looked for.
    fine = {404} if route.binding.body is None else {404, 409, 422}
    if status >= 500:
        yield _finding(route, "route-stands", f"answers {status} for an id that is not the caller's")
    elif status not in fine:
        yield _finding(route, "route-hides", f"answers {status} for an id that is not the caller's, not 404")


def _bodies(route: Route) -> Iterator[bytes]:
    yield b"{}"
    if route.binding.body is None:
        return
    yield from (b"", b"[]", b"null", b'"x"', b"{")
    names = [field.alias or name for name, field in route.binding.body.model_fields.items()]
    for value in HOSTILE:
        # One field alone gets further than many that are all wrong.
        for some in (names, *([name] for name in names)):
            yield json.dumps(dict.fromkeys(some, value)).encode()


def _filled(route: Route, store_id: int) -> str:
    path = route.full_path.replace(STORE, STORE.replace("{id}", str(store_id)), 1)
    return re.sub(r"\{\w+\}", str(NOBODYS), path)


async def _status(client: QuartClient, route: Route, path: str, auth: dict[str, str], body: bytes) -> int:
    headers = {**auth, "Content-Type": "application/json"}
    sent = None if route.method == "GET" else body
    response = await client.open(path, method=route.method, headers=headers, data=sent)
    return response.status_code


def _finding(route: Route, rule: str, what: str) -> Finding:
    return Finding(*place_of(route.handler), rule, f"{route.method} {route.full_path} {what}.")
