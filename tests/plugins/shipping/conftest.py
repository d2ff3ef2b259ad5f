"""A store whose orders can be shipped, used by its owner."""

import dataclasses

import pytest
from comanda.contracts import Vertical, VerticalGroup
from comanda.devkit.testing import TestStore, line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.runtime import Runtime

SHOP = Vertical(
    "mail_order", "Mail order", VerticalGroup.GOODS, ("stock", "variants", "shipping"), ("ship", "takeaway")
)
ADDRESS = "Rua das Flores 7, Porto"


class Shop(TestStore):
    async def create_order(self, *lines, address=ADDRESS, **fields):
        """Place an order of type ``ship``, by default of three lamps."""
        lines = lines or [line(await self.item("Lamp", 20), 3)]
        return await self.order(*lines, type="ship", address=address, **fields)

    async def request_shipment(self, order, items=None, key=None, **fields):
        """Request a shipment of an order, and return the reply. ``items`` maps line positions to quantities."""
        body = dict(fields)
        if items is not None:
            body["items"] = [
                {"order_line_id": order["items"][position]["id"], "quantity": count}
                for position, count in items.items()
            ]
        headers = {} if key is None else {"Idempotency_Key": key}
        return await self.send("POST", f"/orders/{order['id']}/shipments", body, **headers)

    async def create_shipment(self, order, *args, **fields):
        """Create a shipment that must be accepted, and return it."""
        reply = await self.request_shipment(order, *args, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def update_shipment(self, shipment, **fields):
        """Update a shipment, and return the reply."""
        return await self.send("PUT", f"/shipments/{shipment['id']}", fields)

    async def list_shipments(self, query=""):
        return (await self.get(f"/shipments{query}"))["data"]


@pytest.fixture
async def shop(client, owner, runtime):
    """Yield a goods store with the modes ``ship`` and ``takeaway``."""
    verticals = {**runtime.registry.verticals, SHOP.store_type: SHOP}
    runtime_module.use(Runtime(runtime.settings, dataclasses.replace(runtime.registry, verticals=verticals)))
    yield Shop(client, owner, await owner.store(SHOP.store_type))
    runtime_module.use(runtime)


@pytest.fixture
def count_shipped_pieces():
    async def count_shipped_pieces(shop):
        statement = """SELECT coalesce(sum(h.quantity), 0)::int FROM shipping_shipment_line h
                       JOIN shipping_shipment s ON s.id = h.shipment_id WHERE s.store_id = $1"""
        return await sql.fetch_value(statement, shop.id)

    return count_shipped_pieces
