"""Deletion of unused fitments."""

from comanda_carparts.services import fitment_store

from .conftest import GOLF, SAAB, count_rows


async def test_unused_fitments_are_deleted(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    await garage.send("PUT", f"/menu/items/{pads['id']}", {"fitments": [GOLF]})
    assert await count_rows("carparts_fitment", garage) == 2

    assert await fitment_store.prune_fitments() >= 1
    assert await count_rows("carparts_fitment", garage) == 1

    assert await fitment_store.prune_fitments() == 0
    await garage.send("PUT", f"/menu/items/{pads['id']}", {"fitments": [SAAB]})
    assert await found(garage) == [("Saab", "900", 1978, 1978)]
