"""Item fields from capabilities."""

import dataclasses

from comanda.platform import runtime as runtime_module
from comanda.platform.runtime import Runtime


async def test_fields_of_uninstalled_capability_are_kept(bazaar, runtime):
    lamp = await bazaar.item("Lamp", brand="Lumen")
    with_brands = runtime_module.current()
    without = dataclasses.replace(with_brands.registry, item_capabilities={})

    runtime_module.use(Runtime(runtime.settings, without))
    changed = await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"name": "Old lamp"})
    runtime_module.use(with_brands)

    assert (changed.status, "brand" in changed.document) == (200, False)
    back = await bazaar.get(f"/menu/items/{lamp['id']}")
    assert (back["name"], back["brand"]) == ("Old lamp", "Lumen")
