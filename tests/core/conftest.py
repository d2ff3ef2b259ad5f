"""What the tests of stores, menus and orders start from."""

import dataclasses
import shutil

import pytest
from comanda.contracts.requests.fields import ShortText
from comanda.contracts.stores.verticals import ItemCapability, Vertical, VerticalGroup
from comanda.devkit.testing.data_folders import create_migrated_data_folder
from comanda.devkit.testing.processes import Installation
from comanda.devkit.testing.stores import TestStore
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.platform import runtime as runtime_module
from comanda.platform.runtime import Runtime
from pydantic import BaseModel


class BrandFields(BaseModel):
    brand: ShortText | None = None


BAZAAR = Vertical("bazaar", "Bazaar", VerticalGroup.GOODS, ("brand", "stock", "variants"), ("takeaway", "delivery"))


@pytest.fixture
async def bazaar(client, owner, runtime):
    """A store that sells goods, of a vertical that counts stock and names brands."""
    registry = dataclasses.replace(
        runtime.registry,
        verticals={**runtime.registry.verticals, BAZAAR.store_type: BAZAAR},
        item_capabilities={
            **runtime.registry.item_capabilities,
            "brand": ItemCapability("brand", "Brand", BrandFields),
        },
    )
    runtime_module.use(Runtime(runtime.settings, registry))
    yield TestStore(client, owner, await owner.store("bazaar"))
    runtime_module.use(runtime)


@pytest.fixture(scope="module")
def installation():
    """An installation whose database stays up for all tests of a module, so that commands do not wait for it."""
    data = create_migrated_data_folder()
    with EmbeddedPostgres(data):
        yield Installation(data, {})
    shutil.rmtree(data)
