"""A store that is connected to a fake Deliverect."""

import json
from itertools import count

import pytest
from comanda.devkit.testing import TestStore, process_queue
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_deliverect.services import connection_worker, order_worker
from comanda_deliverect.settings import DeliverectSettings

from tests.plugins.deliverect.fake_deliverect import WEBHOOK_SECRET, FakeDeliverect, ordered, sign

_numbers = count(1)


@pytest.fixture
async def deliverect(app, monkeypatch):
    fake = FakeDeliverect()
    async with fake.serving():
        monkeypatch.setattr(runtime_module.settings_of(DeliverectSettings), "url", fake.url)
        yield fake


class ConnectedStore(TestStore):
    """A store that is connected to a location."""

    async def connect(self, fake):
        self.fake, client_id = fake, fake.add_client()
        self.location = f"location-{next(_numbers)}"
        self.body = {
            "account_id": "account-1",
            "location_id": self.location,
            "client_id": client_id,
            "client_secret": fake.clients[client_id],
            "webhook_secret": WEBHOOK_SECRET,
        }
        reply = await self.send("PUT", "/deliverect", self.body)
        assert reply.status == 200, reply
        self.orders_path = "/" + reply["orders_url"].split("/", 3)[3]

    def add_order(self, *items, **fields):
        return self.fake.add_order(self.location, items=list(items), **fields)

    async def post(self, order, headers=None, body=None):
        body = json.dumps(order).encode() if body is None else body
        return await self.client.post(self.orders_path, data=body, headers=headers or sign(body))

    async def receive(self, order):
        """Send an order as Deliverect does, and return what became of it."""
        response = await self.post(order)
        assert (response.status_code, await response.get_json()) == (200, {"result": "OK"})
        return await self.work(order)

    async def work(self, order):
        """Process what is due, and return what became of an order."""
        await sql.execute(
            "UPDATE deliverect_order SET next_attempt_at = now() - interval '1 hour' WHERE next_attempt_at IS NOT NULL"
        )
        await process_queue(order_worker.QUEUE)
        return await self.find(order)

    async def tell(self):
        """Process what is due of connections, as if the time of all had come."""
        await sql.execute("UPDATE deliverect_connection SET next_attempt_at = now() - interval '1 hour'")
        await process_queue(connection_worker.QUEUE)

    async def change(self, item, **fields):
        reply = await self.send("PUT", f"/menu/items/{item['id']}", fields)
        assert reply.status == 200, reply

    async def pause(self, **fields):
        reply = await self.send("PUT", "/intake-status", {"status": "paused", **fields})
        assert reply.status == 200, reply

    async def find(self, order):
        found = (await self.get("/deliverect/orders"))["data"]
        return next((each for each in found if each["deliverect_id"] == order["_id"]), None)

    async def find_order(self, found):
        assert found["state"] == "placed", found
        return (await self.get(f"/orders/{found['order_id']}")).document

    async def count_orders(self):
        return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", self.id)


@pytest.fixture
async def store(client, owner, deliverect):
    made = ConnectedStore(client, owner, await owner.store())
    made.soup = await made.item("Soup", 5)
    made.soup_ref = f"item-{made.soup['id']}"
    await made.connect(deliverect)
    yield made
    await sql.execute("DELETE FROM deliverect_connection WHERE owner_id = $1", owner.id)


@pytest.fixture
def soup_order(store):
    """An order of one soup that is paid online."""
    return store.add_order(ordered(store.soup_ref))
