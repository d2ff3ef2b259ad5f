"""Those who call routes in tests of every route: an owner, or the holder of a token of another kind in a store."""

from dataclasses import dataclass, field
from typing import Any

from bound_requests import BoundRequest, capture_request
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.devkit.testing.callers import create_test_owner
from comanda.devkit.testing.client import CheckedClient
from workshop import HOLDERS, Workshop, positions, store_type_of


def get_kind(route: Route) -> str | None:
    """Return of which kind the caller of a route is in tests; None if a plugin's own tests create that caller."""
    if not route.callers or "owner" in route.callers:
        return "owner"
    return next((kind for kind in HOLDERS if kind in route.callers), None)


def get_group(route: Route) -> str:
    """Return the kind of the caller and the first step of the path: what they name can exist beside each other."""
    return f"{get_kind(route)} /{route.path.strip('/').partition('/')[0]}"


def list_groups(routes: list[Route]) -> list[str]:
    """Return the groups of routes."""
    return sorted({*map(get_group, routes)})


@dataclass
class Holder:
    """A caller with records of one owner. Those in paths are created once, for requests that change nothing."""

    workshop: Workshop
    headers: dict[str, str]
    _ids: dict[tuple[str, str], list[Any]] = field(default_factory=dict)

    @classmethod
    async def create(cls, client: CheckedClient, kind: str) -> "Holder":
        """Create a caller and the owner."""
        owner = await create_test_owner()
        if kind == "owner":
            return cls(Workshop(client, owner), owner.auth)
        workshop = Workshop(client, owner, await owner.store())
        return cls(workshop, await HOLDERS[kind](workshop))

    async def get_ids(self, route: Route) -> list[Any]:
        """Return the ids of what stands in a route's path."""
        if not (places := positions(route)):
            return []
        key = (store_type_of(route), places[-1])
        if key not in self._ids:
            self._ids[key] = await self.workshop.ids_of(route)
        return self._ids[key]

    async def get_headers(self, route: Route) -> dict[str, str]:
        """Return the headers with which the caller, or a page of this host for them, calls a route."""
        if route.prefix == API_PREFIX:
            return self.headers
        return {**self.headers, **await self.workshop.page_headers(route, await self.get_ids(route))}

    async def capture(self, route: Route) -> BoundRequest:
        """Return a request of a route that stops before its handler."""
        ids, headers = await self.get_ids(route), await self.get_headers(route)
        return await capture_request(self.workshop.client, route, ids, headers)
