"""Agents of every server, and arguments with which each tool can be called.

What a call of each tool takes stands in ``CALLS``; a plugin's tests add theirs in ``MCP_CALLS`` of the file
``contract.py`` beside them: arguments by ``server/tool``, or a function of the ``Bench`` that makes them; and in
``MCP_STORE_TYPES``, where it is not ``restaurant``, the type of store that the tool is tried in.
"""

import importlib.util
from datetime import UTC, datetime, timedelta
from inspect import isawaitable

from comanda.accounts import services as accounts
from comanda.basics import clock
from comanda.devkit.testing.mcp import McpClient
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_customers.models import Customer
from installed_plugins import get_registry
from workshop import TESTS, Workshop


class Agents:
    """A factory of agents."""

    def __init__(self, client):
        self.client = client

    def admin(self, headers):
        """Return an owner's agent with the header of its token."""
        return McpClient(self.client, "/mcp", headers)

    async def storefront(self, owner, store_id, *scopes):
        """Return an agent of a store's guest."""
        scopes = scopes or ("agent", "menu:read", "order:write")
        token = await self._token("storefront", owner, scopes, store_id=store_id)
        return McpClient(self.client, "/mcp/storefront", {"X-Storefront-Token": token})

    async def customer(self, owner, store_id, customer_id=None):
        """Return an agent of a store's customer, by default of a new one."""
        if customer_id is None:
            customer_id = (await self.new_customer(owner, store_id)).id
        token = await self._token("customer", owner, ("customer",), store_id=store_id, subject_id=customer_id)
        return McpClient(self.client, "/mcp/customer", {"Authorization": f"Bearer {token}"})

    def public(self, path):
        """Return an agent without a token."""
        return McpClient(self.client, path)

    async def of_store(self, server, owner, store_id):
        """Return an agent for an owner's store on a server that requires a token."""
        if server == "admin":
            return self.admin(owner.auth)
        return await getattr(self, server)(owner, store_id)

    async def new_customer(self, owner, store_id):
        """Create a customer of a store."""
        return await Customer.create(
            owner_id=owner.id, store_id=store_id, name="Ada", email="ada@example.com", created_at=clock.now()
        )

    async def _token(self, kind, owner, scopes, **whose):
        known = runtime_module.registry().caller_kinds[kind]
        return (await accounts.issue_token(known, owner.id, scopes, name="test", **whose)).secret


class Bench(Workshop):
    """A store of one owner with the records that its tools need."""

    store_id = customer_id = None

    @classmethod
    async def make(cls, client, owner, agents, key):
        bench = cls(client, owner)
        bench.store_id = await owner.store(STORE_TYPES.get(key, "restaurant"))
        bench.customer_id = (await agents.new_customer(owner, bench.store_id)).id
        return bench

    async def agent(self, agents, server):
        if server == "customer":
            return await agents.customer(self.owner, self.store_id, self.customer_id)
        if get_registry().mcp_servers[server].callers:
            return await agents.of_store(server, self.owner, self.store_id)
        return agents.public(get_registry().mcp_servers[server].path)

    async def arguments(self, key):
        assert key in CALLS, (
            f"{key} has no arguments to be tried with: add them to MCP_CALLS in contract.py beside its plugin's tests."
        )
        made = CALLS[key](self) if callable(CALLS[key]) else CALLS[key]
        made = dict(await made) if isawaitable(made) else dict(made)
        if key.startswith("admin/") and "restaurant_id" in get_registry().mcp_tools[key].arguments.model_fields:
            made = {"restaurant_id": self.store_id, **made}
        return made

    async def own_order(self):
        """Place an order of the customer."""
        order_id = await self.order(self.store_id)
        await sql.execute(
            "UPDATE core_order SET customer_id = $3 WHERE id = $1 AND owner_id = $2",
            order_id, self.owner.id, self.customer_id,
        )  # fmt: skip
        return order_id

    async def token_of(self, order_id):
        return await sql.fetch_value("SELECT track_token FROM core_order WHERE id = $1", order_id)


async def add_item(bench):
    return {"category_id": await bench.category(bench.store_id), "name": "Stolen", "price": 3.5, "details": {}}


async def track(bench):
    return {"track_token": await bench.token_of(await bench.order(bench.store_id))}


async def own_order(bench):
    return {"order_id": await bench.own_order()}


def with_id(id_name, made_by, **fields):
    async def make(bench):
        return {id_name: await getattr(bench, made_by)(bench.store_id), **fields}

    return make


async def nights(bench):
    room_type = {"name": "Double", "base_price": 80, "max_adults": 4, "max_children": 2}
    await bench.post(f"/restaurants/{bench.store_id}/room-types", room_type)
    first = datetime.now(UTC).date() + timedelta(days=2)
    return {"check_in": first.isoformat(), "check_out": (first + timedelta(days=2)).isoformat(), "adults": 2}


CALLS = {
    "admin/list_restaurants": {},
    "admin/get_restaurant_settings": {},
    "admin/update_business_hours": {"monday": [{"open": "09:00", "close": "17:00"}]},
    "admin/get_menu": {},
    "admin/list_categories": {},
    "admin/add_category": {"name": "Stolen", "position": 1},
    "admin/update_category": with_id("category_id", "category", name="Stolen"),
    "admin/delete_category": with_id("category_id", "category"),
    "admin/add_menu_item": add_item,
    "admin/update_menu_item": with_id("item_id", "item", name="Stolen", price=3.5, description="x"),
    "admin/delete_menu_item": with_id("item_id", "item"),
    "admin/set_item_availability": with_id("item_id", "item", is_available=False, until="2030-01-01T00:00:00Z"),
    "admin/list_orders": {"status": "new", "from": "2026-01-01", "to": "2026-06-30", "search": "x"},
    "admin/get_order": with_id("order_id", "order"),
    "admin/update_order_status": with_id("order_id", "order", status="cancelled", note="x"),
    "storefront/get_store": {},
    "storefront/check_availability": {"type": "takeaway", "at": "2030-01-01T00:00:00Z"},
    "storefront/get_menu": {"page": 1},
    "storefront/search_menu": {"query": "soup", "dietary": ["vegan"], "max_price": 10, "in_stock": False},
    "storefront/get_item": with_id("item_id", "item"),
    "storefront/track_order": track,
    "customer/my_orders": {"limit": 5},
    "customer/order_detail": own_order,
    "customer/track_order": own_order,
    "catalog/search_stores": {"keyword": "restaurant", "city": "Lisboa"},
    "catalog/search_items": {"query": "soup", "dietary": ["vegan"], "max_price": 10, "city": "Lisboa"},
    "catalog/get_store": lambda bench: {"id": bench.store_id},
    "catalog/list_starter_menus": {"preset": "cafe"},
    "admin/hotel_availability": nights,
    "storefront/hotel_availability": nights,
    "customer/my_bookings": {"limit": 5},
    "dev/learn_platform": {},
    "dev/search_docs": {"query": "orders"},
    "dev/list_webhook_events": {},
    "dev/fetch_full_doc": {"id": "themes"},
    "dev/get_liquid_reference": {},
    "dev/get_section_schema": {},
    "dev/validate_theme": {"files": {"layout/theme.liquid": "<p>{{ store.title }}</p>"}},
}
STORE_TYPES = dict.fromkeys(("admin/hotel_availability", "storefront/hotel_availability"), "hotel")


def _gather():
    for file in sorted(TESTS.glob("*/*/contract.py")):
        spec = importlib.util.spec_from_file_location(f"calls_of_{file.parent.name}_{file.parent.parent.name}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, all_of_them in (("MCP_CALLS", CALLS), ("MCP_STORE_TYPES", STORE_TYPES)):
            found = getattr(module, name, {})
            assert not found.keys() & all_of_them.keys(), f"{file} names again: {found.keys() & all_of_them.keys()}"
            all_of_them.update(found)


_gather()
