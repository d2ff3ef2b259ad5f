"""Records of fitments."""

from ..conftest import GOLF, POLO, SAAB

BLANK = {"year_to": None, "engine": None, "trim": None, "note": None}


async def test_item_shows_fitments_to_owner_and_guests(garage):
    pads = await garage.item("Brake pads", fitments=[GOLF, {**POLO, "make": " Volkswagen ", "engine": ""}])

    full = [{**BLANK, **GOLF}, {**BLANK, **POLO}]
    assert pads["fitments"] == full
    assert (await garage.get(f"/menu/items/{pads['id']}"))["fitments"] == full
    assert (await garage.public_menu())[0]["items"][0]["fitments"] == full
    assert (await garage.item("Rag"))["fitments"] == []


async def test_fitment_has_its_vehicle_and_items(garage):
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
