"""Validation of fitments."""

from .conftest import GOLF, SAAB, count_rows

INVALID_YEARS = ["1885", "2101", "soon", "20.5", "99999999999999999999"]


async def test_invalid_year_is_refused(garage, subtests):
    for year in INVALID_YEARS:
        with subtests.test(year=year):
            refused = await garage.send("GET", f"/fitments?year={year}")

            assert refused.errors.keys() == {"year"}


async def test_duplicate_fitments_are_dropped(garage, found):
    pads = await garage.item("Brake pads", fitments=[GOLF, {**GOLF, "make": "VOLKSWAGEN", "trim": " "}, SAAB])

    assert [row["model"] for row in pads["fitments"]] == ["Golf", "900"]
    assert await found(garage, "?make=volkswagen") == [("Volkswagen", "Golf", 2012, 2019)]


INVALID_FITMENTS = [
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
]


async def test_invalid_fitments_are_refused_with_their_item(garage, subtests):
    category_id = await garage.category()

    for fitments, field in INVALID_FITMENTS:
        with subtests.test(fitments=fitments, field=field):
            body = {"name": "Brake pads", "price": 1, "category_id": category_id, "fitments": fitments}
            refused = await garage.send("POST", "/menu/items", body)

            assert refused.errors.keys() == {field}
            assert (await garage.get("/menu"))[0]["items"] == []
            assert await count_rows("carparts_fitment", garage) == 0


async def test_reversed_years_are_refused(garage):
    pads = await garage.item("Brake pads", fitments=[GOLF])

    refused = await garage.send("PUT", f"/menu/items/{pads['id']}", {"fitments": [{**GOLF, "year_to": 2011}]})

    assert refused.errors == {"fitments.0.year_to": ["Must not be before year_from."]}
    assert (await garage.get(f"/menu/items/{pads['id']}")).document == pads


async def test_part_may_fit_500_vehicles(garage):
    fitments = [{**GOLF, "make": "ﷺ" * 100, "model": "\U0001f9d1" * 100, "engine": f"E{n}"} for n in range(500)]
    pads = await garage.item("Brake pads", fitments=fitments)

    page = await garage.get("/fitments?per_page=100&page=5")

    assert len(pads["fitments"]) == 500
    assert (page["total"], len(page["data"]), page["data"][0]["item_ids"]) == (500, 100, [pads["id"]])
