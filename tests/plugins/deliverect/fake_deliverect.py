"""A Deliverect on loopback: clients with tokens, orders with their statuses, products, and what was asked of it.

Written from Deliverect's public documentation; nobody has compared it with the real one.
"""

import asyncio
import hashlib
import hmac
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from aiohttp import web

WEBHOOK_SECRET = "webhook-secret-of-tests"
_numbers = count(1)


@dataclass
class FakeDeliverect:
    """``failures`` are statuses of the next answers but those with tokens; ``delay`` is how long each answer takes.

    The next ``losses`` of the answers are lost, after what was asked is done.
    """

    clients: dict = field(default_factory=dict)
    tokens: set = field(default_factory=set)
    orders: dict = field(default_factory=dict)
    updates: list = field(default_factory=list)
    menus: list = field(default_factory=list)
    snoozes: list = field(default_factory=list)
    pauses: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    failures: list = field(default_factory=list)
    losses: int = 0
    delay: float = 0.0
    url: str = ""

    def add_client(self):
        number = next(_numbers)
        self.clients[f"client-{number}"] = f"secret-{number}-of-tests"
        return f"client-{number}"

    def add_order(self, location, **fields):
        number = next(_numbers)
        id = f"{number:024x}"
        self.orders[id] = {
            "_id": id,
            "location": location,
            "channelOrderId": f"UBER-{number}",
            "channelOrderDisplayId": "4F2A",
            "status": 1,
            "orderType": 1,
            "deliveryIsAsap": True,
            "pickupTime": None,
            "items": [],
            "customer": {"name": "Ana Silva", "phoneNumber": "+351911111111"},
            "orderIsAlreadyPaid": True,
            "payment": {"amount": 500, "type": 0, "due": 0},
            "discountTotal": 0,
            "taxTotal": 0,
            "decimalDigits": 2,
            **fields,
        }
        return self.orders[id]

    def list_snoozed(self, location):
        """Return until when products of a location are not sold, in the order in which they were snoozed."""
        ends = {}
        for body in self.snoozes:
            if body["location"] == location:
                ends |= dict.fromkeys(body["plus"], datetime.fromisoformat(body["snoozeEnd"]))
        return {plu: end for plu, end in ends.items() if end > datetime.now(UTC)}

    def list_statuses(self, id):
        return [update["status"] for order_id, update in self.updates if order_id == id]

    async def start(self, port=0):
        server = web.Application()
        server.router.add_route("*", "/{path:.*}", self.answer)
        self._runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self):
        await self._runner.cleanup()

    @asynccontextmanager
    async def serving(self):
        await self.start()
        try:
            yield
        finally:
            await self.stop()

    async def answer(self, request):
        path, body = request.match_info["path"].split("/"), json.loads(await request.text())
        self.requests.append((request.method, "/".join(path)))
        await asyncio.sleep(self.delay)
        match request.method, path:
            case "POST", ["oauth", "token"]:
                return self._grant(body)
            case _ if self.failures:
                return web.json_response({"message": "Failed"}, status=self.failures.pop(0))
            case _ if request.headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens:
                return web.json_response({"code": 401}, status=401)
            case "POST", _ if self._act(path, body):
                if self.losses:
                    self.losses -= 1
                    request.transport.close()
                return web.json_response({"result": "OK"})
        return web.json_response({"code": 404}, status=404)

    def _act(self, path, body):
        """Apply a request, and return whether there is such a thing."""
        match path:
            case ["orderStatus", id] if id in self.orders and body["orderId"] == id:
                self.updates.append((id, body))
            case ["productAndCategories"]:
                self.menus.append(body)
            case ["products", "snoozeByPlus"] if body["account"] and body["plus"]:
                self.snoozes.append(body)
            case ["updateStoreStatus", location] if isinstance(body["isActive"], bool):
                self.pauses.append((location, not body["isActive"]))
            case _:
                return False
        return True

    def _grant(self, body):
        is_known = self.clients.get(body["client_id"]) == body["client_secret"]
        if not is_known or body["audience"] != self.url or body["grant_type"] != "client_credentials":
            return web.json_response({"code": 403}, status=403)
        token = f"token-{next(_numbers)}"
        self.tokens.add(token)
        return web.json_response({"access_token": token, "expires_in": 86400, "token_type": "Bearer"})


def sign(body, secret=WEBHOOK_SECRET):
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"Content-Type": "application/json", "X-Server-Authorization-HMAC-SHA256": signature}


def ordered(plu, price=500, quantity=1, **fields):
    return {"plu": plu, "name": "Something", "price": price, "quantity": quantity, "subItems": [], **fields}
