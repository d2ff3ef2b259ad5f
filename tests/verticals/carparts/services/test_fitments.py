"""Lists of fitments and makes."""

from comanda.devkit.testing import TestStore

from ..conftest import GOLF, PANDA, POLO, SAAB

SEARCHES = [
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
]


async def test_fitments_are_found_by_make_model_and_year(garage, found, subtests):
    await garage.item("Brake pads", fitments=[POLO, GOLF, SAAB])
    await garage.item("Bulb", fitments=[PANDA, GOLF])

    for query, models in SEARCHES:
        with subtests.test(query=query, models=models):
            assert [row[1] for row in await found(garage, query)] == models


async def test_fitments_are_filtered_by_item(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, SAAB])
    await garage.item("Bulb", fitments=[PANDA])

    assert [row[0] for row in await found(garage, f"?item_id={pads['id']}")] == ["Saab", "Volkswagen"]


async def test_makes_are_listed_with_models(garage):
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


async def test_fitments_of_other_stores_are_not_found(garage, client, owner, other_owner, found):
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


async def test_store_of_other_type_has_no_fitments(client, owner, found):
    shop = TestStore(client, owner, await owner.store("retail"))
    lamp = await shop.item("Lamp", fitments=[GOLF])

    assert "fitments" not in lamp
    assert await found(shop) == []
