"""A store that is connected to a fake HubRise."""

import pytest
from comanda.devkit.testing import TestStore, process_queue
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_hubrise.services import connection_worker, order_worker
from comanda_hubrise.settings import HubRiseSettings

from tests.plugins.hubrise.fake_hubrise import SECRET, FakeHubRise, create_event, ordered, sign


@pytest.fixture
async def hubrise(app, monkeypatch):
    fake = FakeHubRise()
    await fake.start()
    monkeypatch.setattr(runtime_module.settings_of(HubRiseSettings), "url", fake.url)
    yield fake
    await fake.stop()


class ConnectedStore(TestStore):
    """A store that is connected to a location."""

    async def connect(self, fake, **fields):
        self.fake, self.location = fake, fake.add_location()
        body = {"access_token": self.location.token, "client_secret": SECRET, **fields}
        reply = await self.send("PUT", "/hubrise", body)
        assert reply.status == 200, reply
        self.callback_path = "/" + reply["callback_url"].split("/", 3)[3]
        await self.check()
        return reply

    async def call_back(self, order, event_type="create", headers=None, body=None):
        body = create_event(order, event_type) if body is None else body
        return await self.client.post(self.callback_path, data=body, headers=headers or sign(body))

    async def receive(self, order, event_type="create"):
        """Have HubRise report an order, and return what became of it."""
        response = await self.call_back(order, event_type)
        assert response.status_code == 204, await response.get_data()
        return await self.work(order)

    async def work(self, order):
        """Have workers look at what is due, and return what became of an order."""
        await self.work_blindly()
        return await self.find(order)

    async def work_blindly(self):
        await sql.execute(
            "UPDATE hubrise_order SET next_attempt_at = now() - interval '1 hour' WHERE next_attempt_at IS NOT NULL"
        )
        await process_queue(order_worker.QUEUE)

    async def check(self):
        """Have the worker of connections look at this one, as if its time had come."""
        await sql.execute("UPDATE hubrise_connection SET checked_at = NULL WHERE store_id = $1", self.id)
        await self.send_menu()

    async def send_menu(self):
        """Have the worker of connections send what has changed, without a check."""
        await sql.execute(
            "UPDATE hubrise_connection SET next_attempt_at = now() - interval '1 hour' WHERE store_id = $1", self.id
        )
        await process_queue(connection_worker.QUEUE)

    async def find(self, order):
        found = (await self.get("/hubrise/orders"))["data"]
        return next((each for each in found if each["hubrise_id"] == order["id"]), None)

    def add_order(self, *items, total="5.00 EUR", **fields):
        return self.location.add_order(items=list(items), total=total, **fields)

    async def add_variant(self, item, **fields):
        reply = await self.send("POST", f"/menu/items/{item['id']}/variants", fields)
        assert reply.status == 201, reply
        return reply.document

    async def count_orders(self):
        return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", self.id)


@pytest.fixture
async def store(client, owner, hubrise):
    made = ConnectedStore(client, owner, await owner.store())
    made.soup = await made.item("Soup", 5)
    made.soup_ref = f"item-{made.soup['id']}"
    await made.connect(hubrise)
    yield made
    await sql.execute("DELETE FROM hubrise_connection WHERE owner_id = $1", owner.id)


@pytest.fixture
async def shop(client, owner, hubrise):
    """A shop that counts its stock."""
    made = ConnectedStore(client, owner, await owner.store("retail"))
    await made.connect(hubrise)
    yield made
    await sql.execute("DELETE FROM hubrise_connection WHERE owner_id = $1", owner.id)


@pytest.fixture
def soup_order(store):
    """An order of one soup that is paid at HubRise."""
    return store.add_order(ordered(store.soup_ref), payments=[{"name": "Card", "ref": "CARD", "amount": "5.00 EUR"}])
