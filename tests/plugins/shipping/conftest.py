"""What the tests of shipping start from: a store whose orders may be shipped, driven by its owner."""

import dataclasses

import pytest
from comanda import runtime as runtime_module
from comanda.contracts.verticals import Vertical, VerticalGroup
from comanda.devkit.testing.stores import TestStore, line
from comanda.runtime import Runtime

SHOP = Vertical(
    "mail_order", "Mail order", VerticalGroup.GOODS, ("stock", "variants", "shipping"), ("ship", "takeaway")
)
ADDRESS = "Rua das Flores 7, Porto"


class Shop(TestStore):
    async def shipped_order(self, *lines, address=ADDRESS, **fields):
        """Place an order to be shipped; of three lamps if nothing is named."""
        lines = lines or [line(await self.item("Lamp", 20), 3)]
        return await self.order(*lines, type="ship", address=address, **fields)

    async def ship(self, order, items=None, key=None, **fields):
        """Make a shipment of an order; whatever the answer. ``items`` maps positions of lines to pieces."""
        body = dict(fields)
        if items is not None:
            body["items"] = [
                {"order_line_id": order["items"][position]["id"], "quantity": count}
                for position, count in items.items()
            ]
        headers = {} if key is None else {"Idempotency_Key": key}
        return await self.send("POST", f"/orders/{order['id']}/shipments", body, **headers)

    async def shipment(self, order, *args, **fields):
        """Make a shipment that must be taken, and return it."""
        reply = await self.ship(order, *args, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def change(self, shipment, **fields):
        """Change a shipment; whatever the answer."""
        return await self.send("PUT", f"/shipments/{shipment['id']}", fields)

    async def shipments(self, query=""):
        return (await self.get(f"/shipments{query}"))["data"]


@pytest.fixture
async def shop(client, owner, runtime):
    """A store of goods that takes orders to be shipped and to be taken away."""
    verticals = {**runtime.registry.verticals, SHOP.store_type: SHOP}
    runtime_module.use(Runtime(runtime.settings, dataclasses.replace(runtime.registry, verticals=verticals)))
    yield Shop(client, owner, await owner.store(SHOP.store_type))
    runtime_module.use(runtime)
