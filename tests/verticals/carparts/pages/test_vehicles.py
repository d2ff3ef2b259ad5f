"""The page on which guests of a parts shop find what fits their car."""

import re

import pytest
from comanda.platform.db import sql

from ..conftest import GOLF, PANDA, POLO


@pytest.fixture
async def read(garage):
    """Return a function that reads the page for a query."""
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", garage.id)

    async def read(query="", at=slug):
        response = await garage.client.get(f"/s/{at}/vehicles{query}")
        return response, await response.get_data(as_text=True)

    return read


def list_choices(page, name):
    select = page.partition(f'<select id="{name}"')[2].partition("</select>")[0]
    return re.findall(r"<option(?: value=\"\d+\")?(?: selected)?>([^<]+)", select)


async def test_guest_chooses_make_model_and_year(garage, read):
    filters = await garage.item("Oil filter", 9, fitments=[GOLF, POLO])
    await garage.item("Brake pads", 39, fitments=[{**GOLF, "engine": "2.0 TDI"}, PANDA])
    await garage.item("Wiper", 5)

    _, page = await read()
    assert list_choices(page, "make") == ["Fiat", "Volkswagen"]
    _, page = await read("?make=Volkswagen")
    assert list_choices(page, "model") == ["Golf", "Polo"]
    _, page = await read("?make=volkswagen&model=golf")
    assert list_choices(page, "year") == [str(year) for year in range(2019, 2011, -1)]
    response, page = await read("?make=Volkswagen&model=Golf&year=2015")

    assert "Oil filter" in page
    assert f"/items/{filters['id']}" in page
    assert "Only for: 2.0 TDI" in page
    assert "Wiper" not in page
    assert "comanda_car=" in response.headers["Set-Cookie"]
    _, page = await read("?make=Volkswagen&model=Golf&year=2020")
    assert "There are no parts for this car at the moment." in page


async def test_car_is_remembered(garage, read):
    await garage.item("Oil filter", 9, fitments=[GOLF])
    await read("?make=Volkswagen&model=Golf&year=2015")

    response, _ = await read()

    assert response.status_code == 303
    assert response.headers["Location"].endswith("/vehicles?make=Volkswagen&model=Golf&year=2015")
    assert (await read("?make="))[0].status_code == 200


@pytest.mark.parametrize("query", ["?make=%00", "?year=x", "?make=Nobody&model=None&year=2015", "?year=999999", "?x=1"])
async def test_car_that_cannot_be_is_asked_for_again(garage, read, query):
    await garage.item("Oil filter", 9, fitments=[GOLF])

    response, page = await read(query)

    assert response.status_code == 200
    assert list_choices(page, "make") == ["Volkswagen"]
    assert "Oil filter" not in page


async def test_parts_that_are_not_on_the_menu_are_not_shown(garage, read):
    hidden = await garage.item("Hidden filter", 9, fitments=[GOLF])
    await garage.item("Sold filter", 9, fitments=[GOLF], is_sold_out=True)
    assert (await garage.send("PUT", f"/menu/items/{hidden['id']}", {"is_active": False})).status == 200

    _, page = await read("?make=Volkswagen&model=Golf&year=2015")

    assert "Hidden filter" not in page
    assert "Sold filter" in page
    assert "Sold out" in page


async def test_cars_of_other_stores_are_not_shown(garage, read, owner, other_owner):
    for someone in (owner, other_owner):
        other = type(garage)(garage.client, someone, await someone.store("carparts"))
        await other.item("Elsewhere", 9, fitments=[PANDA])

    assert list_choices((await read())[1], "make") == []
    assert "Elsewhere" not in (await read("?make=Fiat&model=Panda&year=2005"))[1]


async def test_other_types_of_store_have_no_such_page(read, owner):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", await owner.store("retail"))

    assert (await read(at=slug))[0].status_code == 404
    assert (await read(at="nowhere"))[0].status_code == 404


async def test_details_of_a_part_say_what_it_fits(garage):
    part = await garage.item("Oil filter", 9, fitments=[GOLF, POLO, PANDA, {**GOLF, "model": "Golf Plus"}])
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", garage.id)

    response = await garage.client.get(f"/s/{slug}/items/{part['id']}/details")

    facts = (await response.get_json())["facts"]
    assert facts == [
        "Fits Volkswagen Golf 2012-2019",
        "Fits Volkswagen Polo 2017-",
        "Fits Fiat Panda 2003-2012",
        "and 1 more",
    ]


async def test_details_of_a_part_say_whether_it_fits_the_chosen_car(garage, read):
    parts = {
        "Fits your Volkswagen Golf 2015": await garage.item("Oil filter", 9, fitments=[GOLF]),
        "Fits your Volkswagen Golf 2015, only for: 2.0 TDI": await garage.item(
            "Brake pads", 39, fitments=[{**GOLF, "make": "VOLKSWAGEN", "engine": "2.0 TDI"}]
        ),
        "Does not fit your Volkswagen Golf 2015": await garage.item("Belt", 19, fitments=[POLO, PANDA]),
    }
    wiper = await garage.item("Wiper", 5)
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", garage.id)
    await read("?make=Volkswagen&model=Golf&year=2015")

    for fact, part in parts.items():
        response = await garage.client.get(f"/s/{slug}/items/{part['id']}/details")
        assert (await response.get_json())["facts"][0] == fact
        assert "Cookie" in response.headers["Vary"]
    response = await garage.client.get(f"/s/{slug}/items/{wiper['id']}/details")
    assert (await response.get_json())["facts"] == []


async def test_cookie_without_a_car_is_ignored(garage, read):
    part = await garage.item("Oil filter", 9, fitments=[GOLF])
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", garage.id)
    for stored in ("make=&model=&year=x", "year=2015", "%00", "make=A&model=B&year=99999"):
        headers = {"Cookie": f"comanda_car={stored}"}

        response = await garage.client.get(f"/s/{slug}/items/{part['id']}/details", headers=headers)
        page = await garage.client.get(f"/s/{slug}/vehicles", headers=headers)

        assert (await response.get_json())["facts"] == ["Fits Volkswagen Golf 2012-2019"]
        assert page.status_code == 200


async def test_shop_of_a_suspended_owner_is_not_there(read, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await read())[0].status_code == 404
