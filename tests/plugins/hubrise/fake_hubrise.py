"""A HubRise on loopback: locations by token, with orders, a catalog, an inventory and what was asked of it."""

import asyncio
import hashlib
import hmac
import json
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count

from aiohttp import web

SECRET = "client-secret-of-tests"
_numbers = count(1)


@dataclass
class Location:
    id: str
    token: str
    orders: dict = field(default_factory=dict)
    callback: dict | None = None
    catalogs: list = field(default_factory=list)
    inventories: list = field(default_factory=list)
    patches: list = field(default_factory=list)

    def add_order(self, **fields):
        id = f"o{next(_numbers)}"
        self.orders[id] = {
            "id": id,
            "location_id": self.id,
            "status": "new",
            "service_type": "collection",
            "created_by": "Uber Eats",
            "ref": f"R-{id}",
            "collection_code": "4F2A",
            "expected_time": None,
            "items": [],
            "charges": [],
            "discounts": [],
            "payments": [],
            "customer": {"first_name": "Ana", "last_name": "Silva", "phone": "+351911111111"},
            **fields,
        }
        return self.orders[id]

    def list_statuses(self, id):
        return [patch["status"] for order_id, patch in self.patches if order_id == id]


@dataclass
class FakeHubRise:
    """``failures`` are statuses of the next answers; ``delay`` is how long each answer takes."""

    locations: dict = field(default_factory=dict)
    requests: list = field(default_factory=list)
    failures: list = field(default_factory=list)
    delay: float = 0.0
    url: str = ""
    before_answer: object = None

    def add_location(self):
        location = Location(f"loc-{next(_numbers)}", f"token-{next(_numbers)}-of-tests")
        self.locations[location.token] = location
        return location

    async def start(self, port=0):
        server = web.Application()
        server.router.add_route("*", "/v1/{path:.*}", self.answer)
        self._runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"

    async def stop(self):
        await self._runner.cleanup()

    async def answer(self, request):
        path, body = request.match_info["path"], await request.text()
        self.requests.append((request.method, path))
        await asyncio.sleep(self.delay)
        if self.failures:
            return web.json_response({"message": "Failed"}, status=self.failures.pop(0))
        location = self.locations.get(request.headers.get("X-Access-Token"))
        if location is None:
            return web.json_response({"message": "The access token is invalid"}, status=401)
        answer = self._answer(location, request.method, path, request.query, json.loads(body) if body else None)
        if self.before_answer is not None:
            self.before_answer(request.method, path)
        return web.json_response({"error_type": "not_found"}, status=404) if answer is None else answer

    def _answer(self, location, method, path, query, body):
        match method, path.split("/"):
            case "GET", ["location"]:
                return web.json_response({"id": location.id, "name": "Bella Pizza"})
            case "POST", ["callback"]:
                location.callback = body
            case "GET", ["location", "orders"]:
                found = [order for order in location.orders.values() if order["status"] == query["status"]]
                return web.json_response(found[: int(query["count"])])
            case "GET", ["location", "orders", id] if id in location.orders:
                return web.json_response(deepcopy(location.orders[id]))
            case "PATCH", ["location", "orders", id] if id in location.orders:
                location.patches.append((id, body))
                location.orders[id].update(body)
            case "PUT", ["catalogs", _]:
                location.catalogs.append(body["data"])
            case "PUT", ["catalogs", _, "location", "inventory"]:
                location.inventories.append(body)
            case _:
                return None
        return web.json_response({})


def sign(body, secret=SECRET):
    return {
        "Content-Type": "application/json",
        "X-HubRise-Hmac-SHA256": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
    }


def create_event(order, event_type="create", **fields):
    event = {
        "id": f"e{next(_numbers)}",
        "resource_type": "order",
        "event_type": event_type,
        "order_id": order["id"],
        "location_id": order["location_id"],
        "new_state": order,
    }
    return json.dumps({**event, **fields}).encode()


def ordered(ref, price="5.00 EUR", quantity="1", **fields):
    item = {"product_name": "Something", "sku_name": None, "sku_ref": ref, "price": price, "quantity": quantity}
    return {**item, "options": [], "deleted": False, **fields}
