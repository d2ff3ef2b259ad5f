"""A child process that makes what cases name: owners with their records, and a token of every kind of caller.

For each operation it makes several owners with the factories that the tests of every route use, in
``tests/support/workshop.py``. In the texts of each one's records stands a marker that no other owner's caller may see.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from comanda.accounts import services as accounts
from comanda.composition.app import create_app
from comanda.contracts.registry import Registry
from comanda.contracts.requests.routes import Route
from comanda.devkit.testing.callers import TestOwner, create_test_owner
from comanda.devkit.testing.client import CheckedClient
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.observability import configure_logging
from comanda.web.api_reference.openapi import api_routes
from comanda_reseller.services.resellers import account_administration
from hostile_plugin import MODES
from tool_calls import CALLS, Agents, Bench
from workshop import FACTORIES, HOLDERS, Workshop, positions, store_type_of

from benchmarks import lines, world

# How many owners an operation has. What deletes a record finds nothing once those of all are gone.
OWNERS: Final = 2
AT_ONCE: Final = 8
NARROW_SCOPES: Final = ("menu:read", "orders:read")
# What everybody may read of a stranger: what a store sells, and what it is called.
PUBLIC_PATHS: Final = ("/menu", "/room-types", "/brands", "/themes", "/tables")
# Orders of guests: of their example's fields some are for modes that a store does not have, or name what is not there.
GUEST_ORDER_PATHS: Final = ("/storefront/orders", "/customer/orders")
# What resellers read of themselves; for other owners it does not exist.
RESELLER_PATH: Final = "/reseller/"
PRIVATE_FIELDS: Final = ("name", "customer_name", "note", "address", "reason", "label", "email")


class MarkedWorkshop(Workshop):  # type: ignore[misc] # of the tests, which have no types
    """A workshop whose private records have its marker in their texts."""

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Create something and return its id."""
        if not any(part in path for part in PUBLIC_PATHS):
            body = {
                name: f"{self.marker} {value}"
                if name in PRIVATE_FIELDS and isinstance(value, str) and "@" not in value
                else value
                for name, value in body.items()
            }
        return await super().post(path, body)


async def make(question: dict[str, Any]) -> dict[str, Any]:
    """Create all records, and return them by operation, with the shared callers by their names."""
    # Answers go to the standard output, and nothing else.
    configure_logging("error", "json")
    async with world.comanda(question["url"]):
        made = runtime.current()
        client = CheckedClient(create_app(made, with_background=False))
        routes, turns = api_routes(made.registry), asyncio.Semaphore(AT_ONCE)

        async def make_records(position: int, route: Route) -> list[dict[str, Any]]:
            markers = [question["marker"].format(position * OWNERS + number) for number in range(OWNERS)]
            async with turns:
                return [await _make_record(client, route, marker) for marker in markers]

        records = await asyncio.gather(*(make_records(position, route) for position, route in enumerate(routes)))
        operations = {
            route.operation_id: {"kinds": list(route.callers), "records": made_records}
            for route, made_records in zip(routes, records, strict=True)
        }
        operations |= {
            f"mcp_{key.replace('/', '_')}": await _make_call(client, key)
            for key in made.registry.mcp_tools
            if key in CALLS and key.partition("/")[0] in made.registry.mcp_servers
        }
        found = {
            "operations": operations,
            "callers": await _make_callers(client, made.registry),
            "servers": {
                server.name: {"path": server.path, "kinds": list(server.callers)}
                for server in made.registry.mcp_servers.values()
            },
            "yard": await _open_scrapyard(client),
            "modes": MODES,
        }
        plain: dict[str, Any] = json.loads(json.dumps(found, default=str))
        return plain


async def _make_record(client: CheckedClient, route: Route, marker: str) -> dict[str, Any]:
    """Create an owner with what the path and the body of a route name, and the headers of a caller whom it is for."""
    owner = await create_test_owner()
    if route.path.startswith(RESELLER_PATH):
        await account_administration.create_reseller(owner.id)
    workshop = MarkedWorkshop(client, owner, marker=marker)
    kind = next((kind for kind in route.callers if kind != "owner" and kind in HOLDERS), None)
    headers: Mapping[str, str] = {}
    if "owner" in route.callers:
        headers = owner.auth
    elif kind is not None:
        workshop.home = await owner.store(store_type_of(route))
        headers = await HOLDERS[kind](workshop)
    elif "storefront" in route.callers:
        workshop.home = await owner.store(store_type_of(route))
        headers = await _issue_storefront_token(owner, workshop.home)
    ids = await workshop.ids_of(route) if _has_records(route) else []
    body = await workshop.body_of(route, ids)
    if body and route.path in GUEST_ORDER_PATHS:
        body = {"type": "takeaway", "items": [{"item_id": await workshop.item(workshop.home), "quantity": 1}]}
    if not route.callers and not route.is_of_store:
        headers = await workshop.page_headers(route, ids)
    return {
        "marker": marker,
        "ids": dict(zip(route.binding.path_parameters, ids, strict=bool(ids))),
        "body": body,
        "headers": dict(headers),
    }


async def _open_scrapyard(client: CheckedClient) -> dict[str, Any]:
    """Open a store of the hostile plugin's type, with an item."""
    workshop = Workshop(client, await create_test_owner())
    store_id = await workshop.owner.store("scrapyard")
    return {"store": store_id, "item": await workshop.item(store_id), "headers": workshop.owner.auth}


async def _make_call(client: CheckedClient, key: str) -> dict[str, Any]:
    """Create a store with what a tool's arguments name, and a valid call of it by an agent who may make it."""
    agents, (server, _, name) = Agents(client), key.partition("/")
    tools = await Bench.make(client, await create_test_owner(), agents, key)
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": await tools.arguments(key)},
    }
    headers = (await tools.agent(agents, server)).credentials
    record = {"marker": None, "ids": {}, "body": body, "headers": headers}
    return {"kinds": list(runtime.registry().mcp_servers[server].callers), "records": [record]}


def _has_records(route: Route) -> bool:
    """Return whether the places in the path are of records; others are names, such as that of a platform."""
    return all(
        position == "/restaurants/{id}" or position in FACTORIES or f"{store_type_of(route)} {position}" in FACTORIES
        for position in positions(route)
    )


async def _issue_storefront_token(owner: TestOwner, store_id: int) -> dict[str, str]:
    kind = runtime.registry().caller_kinds["storefront"]
    issued = await accounts.issue_token(
        kind, owner.id, ["agent", "menu:read", "order:write"], name="fuzz", store_id=store_id
    )
    return {kind.header: issued.secret}


async def _make_callers(client: CheckedClient, registry: Registry) -> dict[str, dict[str, str]]:
    """Create a caller of every kind, who has none of the records."""
    owner = await create_test_owner()
    reseller, administrator = await create_test_owner(), await create_test_owner()
    await account_administration.create_reseller(reseller.id)
    await sql.execute("UPDATE core_owner SET is_administrator = true WHERE id = $1", administrator.id)
    store_id = await owner.store()
    callers = {
        "owner": owner.auth,
        "owner with few scopes": await owner.token_with(*NARROW_SCOPES),
        "reseller": reseller.auth,
        "administrator": administrator.auth,
        "storefront": await _issue_storefront_token(owner, store_id),
        "nobody": {},
        "unknown token": {"Authorization": f"Bearer own_{'0' * 40}"},
    }
    for kind in sorted(HOLDERS):
        workshop = Workshop(client, owner, await owner.store(), "Mine")
        callers[kind] = await HOLDERS[kind](workshop)
    if missing := registry.caller_kinds.keys() - callers.keys():
        raise LookupError(f"Nobody calls as {', '.join(sorted(missing))}: add a holder to tests/plugins/*/contract.py.")
    return callers


if __name__ == "__main__":
    lines.answer(make)
