"""Fitments of items: saved, shared and pruned."""

import asyncio

from comanda_carparts.services import fitment_store

from ..conftest import GOLF, PANDA, POLO, SAAB


async def test_new_list_replaces_fitments_and_omission_keeps(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    path = f"/menu/items/{pads['id']}"

    await garage.send("PUT", path, {"price": 9})
    assert len(await found(garage)) == 2
    await garage.send("PUT", path, {"fitments": [SAAB, PANDA]})
    assert [row[0] for row in await found(garage)] == ["Fiat", "Saab"]
    emptied = await garage.send("PUT", path, {"fitments": None})

    assert emptied["fitments"] == []
    assert await found(garage) == []
    assert (await garage.get("/fitments"))["total"] == 0
    assert (await garage.get("/fitments/makes"))["data"] == []


async def test_deleted_item_removes_its_own_fitments(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    discs = await garage.item("Discs", fitments=[GOLF])
    gone = (await garage.get("/fitments?make=saab"))["data"][0]["id"]

    await garage.send("DELETE", f"/menu/items/{pads['id']}")

    assert await found(garage) == [("Volkswagen", "Golf", 2012, 2019)]
    assert (await garage.get("/fitments"))["data"][0]["item_ids"] == [discs["id"]]
    assert (await garage.send("GET", f"/fitments/{gone}")).status == 404


async def test_concurrent_items_share_new_fitments(garage, found):
    category_id = await garage.category()
    vehicles = [{**GOLF, "engine": f"E{number}"} for number in range(40)]
    bodies = [
        {"name": f"Part {n}", "price": 1, "category_id": category_id, "brand": "Amber",
         "fitments": vehicles if n % 2 else vehicles[::-1]}
        for n in range(6)
    ]  # fmt: skip

    replies = await asyncio.gather(*(garage.send("POST", "/menu/items", body) for body in bodies))

    assert {reply.status for reply in replies} == {201}
    page = await garage.get("/fitments?per_page=100")
    ids = sorted(reply["id"] for reply in replies)
    assert page["total"] == 40
    assert [row["item_ids"] for row in page["data"]] == [ids] * 40


async def test_concurrent_pruning_loses_no_fitments(garage, monkeypatch):
    monkeypatch.setattr(fitment_store, "PRUNE_CHUNK_SIZE", 2)
    pads = await garage.item("Brake pads", fitments=[])
    path = f"/menu/items/{pads['id']}"

    for _ in range(10):
        replies = await asyncio.gather(
            garage.send("PUT", path, {"fitments": [GOLF, SAAB, PANDA, POLO]}), fitment_store.prune_fitments(),
            garage.send("PUT", path, {"fitments": [SAAB]}), fitment_store.prune_fitments(),
            garage.send("PUT", path, {"fitments": [PANDA, POLO]}), fitment_store.prune_fitments(),
        )  # fmt: skip
        assert [reply.status for reply in replies[::2]] == [200] * 3
        said = (await garage.get(path))["fitments"]
        kept = (await garage.get("/fitments"))["data"]
        assert sorted(row["model"] for row in said) == sorted(row["model"] for row in kept)
