"""A store with a kitchen that prints."""

import pytest
from comanda.devkit.testing import TestStore, line
from comanda_printing import settings

from tests.plugins.printing.emulators import CloudPrinter


class PrintingStore(TestStore):
    """A store with soup and wine, and printers."""

    async def add_printer(self, kind="cloudprnt", **fields):
        reply = await self.send("POST", "/printers", {"name": fields.pop("name", "Kitchen"), "kind": kind, **fields})
        assert reply.status == 201, reply
        return reply.document

    async def add_cloud_printer(self, **fields):
        return CloudPrinter(self.client, (await self.add_printer(**fields))["url"])

    async def list_jobs(self, **query):
        reply = await self.send("GET", "/print-jobs?" + "&".join(f"{key}={value}" for key, value in query.items()))
        assert reply.status == 200, reply
        return reply["data"]

    async def add_station(self, name, *items):
        reply = await self.send("POST", "/stations", {"name": name})
        for item in items:
            path = f"/station-routes/items/{item['id']}"
            assert (await self.send("PUT", path, {"station_id": reply["id"]})).status == 200
        return reply["id"]


async def create_printing_store(client, owner):
    made = PrintingStore(client, owner, await owner.store())
    made.soup = await made.item("Soup", 8)
    made.wine = await made.item("Wine", 5)
    return made


@pytest.fixture
async def shop(client, owner):
    return await create_printing_store(client, owner)


@pytest.fixture
async def printer(shop):
    return await shop.add_cloud_printer()


@pytest.fixture
def print_order(shop, dispatch):
    """Place an order of one soup, and have it queued."""

    async def place(**fields):
        order = await shop.order(line(shop.soup), **fields)
        await dispatch()
        return order

    return place


@pytest.fixture
def networks(monkeypatch):
    monkeypatch.setattr(settings, "allows_address", lambda host: host == "127.0.0.1")
