"""A store of a vertical whose orders participants of the tests take part in."""

import dataclasses

import pytest
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.stores.verticals import Vertical, VerticalGroup
from comanda.devkit.testing.stores import TestStore
from comanda.menu import snapshot
from comanda.platform import runtime as runtime_module
from comanda.platform.runtime import Runtime
from pydantic import BaseModel


class Wrapping(BaseModel):
    ribbon: str
    is_scented: bool = False


GIFT = FulfillmentMode("gift", "As a gift", fields=Wrapping)
MARKET = Vertical("market", "Market", VerticalGroup.GOODS, ("stock", "stalls"), ("gift", "counter"))


@pytest.fixture
async def market(client, owner, runtime):
    """Open a store of a vertical whose orders others take part in; give it and a function that says who."""

    def joined(*participants):
        registry = dataclasses.replace(
            runtime.registry,
            verticals={**runtime.registry.verticals, "market": MARKET},
            fulfillment_modes={
                **runtime.registry.fulfillment_modes,
                "gift": GIFT,
                "counter": FulfillmentMode("counter", "At the counter"),
            },
            order_participants=participants,
        )
        runtime_module.use(Runtime(runtime.settings, registry))

    joined()
    snapshot._snapshots.clear()
    yield TestStore(client, owner, await owner.store("market")), joined
    runtime_module.use(runtime)
