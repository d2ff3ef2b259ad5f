"""Which vehicles parts fit: told with the item, shared between items, searched by vehicle."""

import asyncio

import pytest
from comanda.db import sql
from comanda.testing.stores import TestStore
from comanda_carparts.services import fitment_store

GOLF = {"make": "Volkswagen", "model": "Golf", "year_from": 2012, "year_to": 2019}
POLO = {"make": "Volkswagen", "model": "Polo", "year_from": 2017}
PANDA = {"make": "Fiat", "model": "Panda", "year_from": 2003, "year_to": 2012, "engine": "1.2", "trim": "4x4"}
SAAB = {"make": "Saab", "model": "900", "year_from": 1978, "year_to": 1978, "note": "Until chassis 78012345"}
BLANK = {"year_to": None, "engine": None, "trim": None, "note": None}


async def count(table, store):
    return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", store.owner.id)


async def test_an_item_shows_what_it_fits_and_so_do_guests(garage):
    pads = await garage.item("Brake pads", fitments=[GOLF, {**POLO, "make": " Volkswagen ", "engine": ""}])

    full = [{**BLANK, **GOLF}, {**BLANK, **POLO}]
    assert pads["fitments"] == full
    assert (await garage.get(f"/menu/items/{pads['id']}"))["fitments"] == full
    assert (await garage.public_menu())[0]["items"][0]["fitments"] == full
    assert (await garage.item("Rag"))["fitments"] == []


async def test_a_fitment_tells_its_vehicles_and_its_items(garage):
    pads = await garage.item("Brake pads", fitments=[SAAB])
    discs = await garage.item("Discs", fitments=[{**SAAB, "make": "SAAB", "note": "until  chassis 78012345"}, GOLF])

    page = await garage.get("/fitments?make=saab")

    [fitment] = page["data"]
    assert fitment == {**BLANK, "id": fitment["id"], **SAAB, "item_ids": [pads["id"], discs["id"]]}
    assert {key: page[key] for key in ("total", "current_page", "last_page", "per_page")} == {
        "total": 1,
        "current_page": 1,
        "last_page": 1,
        "per_page": 20,
    }
    assert (await garage.get(f"/fitments/{fitment['id']}")).document == fitment


@pytest.mark.parametrize(
    ("query", "models"),
    [
        ("", ["Panda", "900", "Golf", "Polo"]),
        ("?make=volkswagen", ["Golf", "Polo"]),
        ("?make=VOLKSWAGEN&model=golf", ["Golf"]),
        ("?make=%20Volkswagen%20&model=", ["Golf", "Polo"]),
        ("?model=PANDA", ["Panda"]),
        ("?make=volks", []),
        ("?make=Fiat&model=Golf", []),
        ("?year=2011", ["Panda"]),
        ("?year=2012", ["Panda", "Golf"]),
        ("?year=2018", ["Golf", "Polo"]),
        ("?year=2019&model=golf", ["Golf"]),
        ("?year=2020&model=golf", []),
        ("?year=2100", ["Polo"]),
        ("?year=1978", ["900"]),
        ("?year=1977", []),
        ("?make=Volkswagen&year=2016", ["Golf"]),
        ("?make=%00%27;--", []),
    ],
)
async def test_vehicles_are_found_by_make_model_and_year(garage, found, query, models):
    await garage.item("Brake pads", fitments=[POLO, GOLF, SAAB])
    await garage.item("Bulb", fitments=[PANDA, GOLF])

    assert [row[1] for row in await found(garage, query)] == models


@pytest.mark.parametrize("year", ["1885", "2101", "soon", "20.5", "", "99999999999999999999"])
async def test_a_year_that_is_none_is_refused(garage, year):
    refused = await garage.send("GET", f"/fitments?year={year}")

    assert refused.errors.keys() == {"year"}


async def test_one_item_can_be_asked_what_it_fits(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    await garage.item("Bulb", fitments=[PANDA])

    assert [row[0] for row in await found(garage, f"?item_id={pads['id']}")] == ["Saab", "Volkswagen"]


async def test_makes_are_listed_with_their_models(garage):
    await garage.item("Brake pads", fitments=[POLO, GOLF, {**GOLF, "make": "VOLKSWAGEN", "year_from": 2013}])
    await garage.item("Bulb", fitments=[PANDA, {**GOLF, "model": "GOLF", "engine": "GTI"}])

    page = await garage.get("/fitments/makes")
    second = await garage.get("/fitments/makes?per_page=1&page=2")

    assert page["data"] == [
        {"make": "Fiat", "models": ["Panda"]},
        {"make": "Volkswagen", "models": ["Golf", "Polo"]},
    ]
    assert page["total"] == 2
    assert (second["data"], second["last_page"]) == (page["data"][1:], 2)


async def test_a_new_list_replaces_the_old_one_and_what_is_left_out_stays(garage, found):
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


async def test_a_vehicle_that_is_named_twice_stands_once(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, {**GOLF, "make": "VOLKSWAGEN", "trim": " "}, SAAB])

    assert [row["model"] for row in pads["fitments"]] == ["Golf", "900"]
    assert await found(garage, "?make=volkswagen") == [("Volkswagen", "Golf", 2012, 2019)]


async def test_a_deleted_item_takes_the_vehicles_along_that_only_it_named(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    discs = await garage.item("Discs", fitments=[GOLF])
    gone = (await garage.get("/fitments?make=saab"))["data"][0]["id"]

    await garage.send("DELETE", f"/menu/items/{pads['id']}")

    assert await found(garage) == [("Volkswagen", "Golf", 2012, 2019)]
    assert (await garage.get("/fitments"))["data"][0]["item_ids"] == [discs["id"]]
    assert (await garage.send("GET", f"/fitments/{gone}")).status == 404


@pytest.mark.parametrize(
    ("fitments", "field"),
    [
        ("Golf", "fitments"),
        ({"make": "Fiat"}, "fitments"),
        ([GOLF, "Golf"], "fitments.1"),
        ([{**GOLF, "make": " "}], "fitments.0.make"),
        ([{**GOLF, "make": "x" * 101}], "fitments.0.make"),
        ([{**GOLF, "model": None}], "fitments.0.model"),
        ([{"make": "Fiat", "model": "Uno"}], "fitments.0.year_from"),
        ([{**GOLF, "year_from": 1885}], "fitments.0.year_from"),
        ([{**GOLF, "year_from": True}], "fitments.0.year_from"),
        ([{**GOLF, "year_from": 2012.5}], "fitments.0.year_from"),
        ([{**GOLF, "year_to": 2101}], "fitments.0.year_to"),
        ([GOLF, {**GOLF, "year_to": 2011}], "fitments.1.year_to"),
        ([{**GOLF, "engine": "x" * 101}], "fitments.0.engine"),
        ([{**GOLF, "trim": ["GTI"]}], "fitments.0.trim"),
        ([{**GOLF, "note": "x" * 256}], "fitments.0.note"),
        ([{**GOLF, "year_from": 1900 + number % 100} for number in range(501)], "fitments"),
    ],
)
async def test_fitments_that_make_no_sense_are_refused_with_their_item(garage, fitments, field):
    category_id = await garage.category()

    body = {"name": "Brake pads", "price": 1, "category_id": category_id, "fitments": fitments}
    refused = await garage.send("POST", "/menu/items", body)

    assert refused.errors.keys() == {field}
    assert (await garage.get("/menu"))[0]["items"] == []
    assert await count("carparts_fitment", garage) == 0


async def test_years_in_the_wrong_order_are_told_where_they_stand(garage):
    pads = await garage.item("Brake pads", fitments=[GOLF])

    refused = await garage.send("PUT", f"/menu/items/{pads['id']}", {"fitments": [{**GOLF, "year_to": 2011}]})

    assert refused.errors == {"fitments.0.year_to": ["Must not be before year_from."]}
    assert (await garage.get(f"/menu/items/{pads['id']}")).document == pads


async def test_a_part_may_fit_five_hundred_vehicles_of_the_longest_names(garage):
    fitments = [{**GOLF, "make": "ﷺ" * 100, "model": "\U0001f9d1" * 100, "engine": f"E{n}"} for n in range(500)]
    pads = await garage.item("Brake pads", fitments=fitments)

    page = await garage.get("/fitments?per_page=100&page=5")

    assert len(pads["fitments"]) == 500
    assert (page["total"], len(page["data"]), page["data"][0]["item_ids"]) == (500, 100, [pads["id"]])


async def test_parallel_items_share_new_vehicles(garage, found):
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


async def test_vehicles_that_nobody_names_are_forgotten_and_come_back_when_named(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    await garage.send("PUT", f"/menu/items/{pads['id']}", {"fitments": [GOLF]})
    assert await count("carparts_fitment", garage) == 2

    assert await fitment_store.prune_fitments() >= 1
    assert await count("carparts_fitment", garage) == 1

    assert await fitment_store.prune_fitments() == 0
    await garage.send("PUT", f"/menu/items/{pads['id']}", {"fitments": [SAAB]})
    assert await found(garage) == [("Saab", "900", 1978, 1978)]


async def test_pruning_while_items_join_and_leave_loses_nothing(garage, monkeypatch):
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


async def test_fitments_of_another_store_or_owner_look_missing(garage, client, owner, other_owner, found):
    await garage.item("Brake pads", fitments=[GOLF])
    id = (await garage.get("/fitments"))["data"][0]["id"]
    sister = TestStore(client, owner, await owner.store("carparts"))
    stranger = TestStore(client, other_owner, await other_owner.store("carparts"))
    intruder = TestStore(client, other_owner, garage.id)

    for elsewhere in (sister, stranger, intruder):
        assert (await elsewhere.send("GET", f"/fitments/{id}")).status == 404
    assert (await intruder.send("GET", "/fitments")).status == 404
    assert (await intruder.send("GET", "/fitments/makes")).status == 404
    assert await found(sister) == []
    await sister.item("Discs", fitments=[GOLF])
    assert (await sister.get("/fitments"))["data"][0]["id"] != id


async def test_a_store_of_another_type_has_no_fitments(client, owner, found):
    shop = TestStore(client, owner, await owner.store("retail"))
    lamp = await shop.item("Lamp", fitments=[GOLF])

    assert "fitments" not in lamp
    assert await found(shop) == []
