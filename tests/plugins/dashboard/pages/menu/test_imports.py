"""Import of menus in the dashboard."""

import random
import re
import time
from base64 import b64encode
from io import BytesIO

import pytest
from comanda.basics import ValidationFailed
from comanda.devkit.testing import process_queue
from comanda.menu.imports import background
from comanda.platform.db import sql
from comanda_dashboard.pages.menu.imports import list_errors, match_columns, unpack
from werkzeug.datastructures import FileStorage

MENU = b"category,name,price\nSoups,Gazpacho,6.00\nSoups,Minestrone,5.50\n"
TOAST = b"Menu,Menu Group,Menu Item,Price,Modifier Groups\nEvening,Soups,Borscht,6.00,Breads\n"
SELECT_IMPORT = "SELECT id FROM core_menu_import WHERE store_id = $1"
OTHER = "Section;Product;Amount;Shelf\nSoups;Gazpacho;6,00;A1\n"


async def upload(dashboard, store, raw, **fields):
    response = await dashboard.client.post(
        f"/dashboard/stores/{store.id}/menu/import", form={"csrf_token": dashboard.csrf_token, **fields},
        files={"file": FileStorage(BytesIO(raw), "menu.csv")},
    )  # fmt: skip
    return response.status_code, await response.get_data(as_text=True)


def find_hidden(page, name):
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


def carried(page):
    """Return the hidden fields of the form that leads to the next step."""
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.partition("<main")[2])
    return {name: value for name, value in fields if name != "csrf_token"}


async def test_changes_are_shown_and_then_applied(dashboard, store):
    path = f"/stores/{store.id}/menu/import"
    status, preview = await upload(dashboard, store, MENU)
    untouched = await store.public_items()

    to = await dashboard.post(path, carried(preview))

    assert (status, untouched) == (200, [])
    assert "Gazpacho" in preview
    assert "6.00" in preview
    assert to == f"/stores/{store.id}/menu"
    assert await store.public_items() == ["Gazpacho", "Minestrone"]


async def test_mistakes_are_listed_by_line(dashboard, store):
    status, page = await upload(dashboard, store, b"category,name,price\nSoups,Gazpacho,cheap\n")

    assert status == 422
    assert re.search(r"<td class=\"number\">2</td>\s*<td>price</td>", page)
    assert await store.public_items() == []


async def test_columns_of_another_system_are_matched(dashboard, store):
    path = f"/stores/{store.id}/menu/import"
    _, mapping = await upload(dashboard, store, OTHER.encode())
    chosen = {"column.0": "category", "column.1": "name", "column.2": "price", "column.3": ""}

    preview = await dashboard.post(path, {**carried(mapping), **chosen}, status=200)
    await dashboard.post(path, carried(preview))

    assert await store.public_items() == ["Gazpacho"]
    assert list_matches(OTHER) == ["category", "name", "price", ""]


async def test_a_file_of_a_known_system_is_previewed_with_what_is_not_brought(dashboard, store):
    status, preview = await upload(dashboard, store, TOAST)

    assert status == 200
    assert "This is a file from Toast." in preview
    assert "Modifier Groups is not taken (1 row)." in preview
    assert await store.public_items() == []
    fields = carried(preview.partition('name="apply"')[0] + '<input type="hidden" name="apply" value="1">')
    fields.pop("match")
    await dashboard.post(f"/stores/{store.id}/menu/import", fields)
    assert await store.public_items() == ["Borscht"]


async def test_columns_of_a_known_system_are_matched_on_request(dashboard, store):
    _, preview = await upload(dashboard, store, TOAST)
    fields = {name: value for name, value in carried(preview).items() if name != "apply"}

    mapping = await dashboard.post(f"/stores/{store.id}/menu/import", fields, status=200)

    assert 'name="column.4"' in mapping
    assert await store.public_items() == []


async def test_json_is_imported_and_removes_only_if_asked(dashboard, store):
    await store.item("Old")
    menu = b'\xef\xbb\xbf{"dry_run": false, "menu": [{"name": "Soups", "items": [{"name": "New", "price": 5}]}]}'

    status, preview = await upload(dashboard, store, menu, remove_missing="1")
    before = await store.public_items()
    await dashboard.post(f"/stores/{store.id}/menu/import", carried(preview))

    assert (status, before) == (200, ["Old"])
    assert await store.public_items() == ["New"]


async def test_a_large_file_with_foreign_headings_is_imported(dashboard, store):
    await store.item("Old")
    noise = random.Random(1)
    rows = [f"Soups;Soup {number};6,00;{b64encode(noise.randbytes(550)).decode()}" for number in range(600)]
    raw = "\n".join(["Section;Product;Amount;Shelf", *rows]).encode()
    chosen = {"column.0": "category", "column.1": "name", "column.2": "price", "column.3": ""}

    _, mapping = await upload(dashboard, store, raw, remove_missing="1")
    status, _ = await upload(dashboard, store, raw, **carried(mapping), **chosen)
    page = f"/stores/{store.id}/menu/import/{await sql.fetch_value(SELECT_IMPORT, store.id)}"
    waiting = await dashboard.get(page)
    await process_queue(background.QUEUE)
    preview = await dashboard.get(page)
    await dashboard.post(f"{page}/apply")
    await process_queue(background.QUEUE)
    shown = await dashboard.client.get(f"/dashboard{page}")

    assert ("content" in carried(mapping), status) == (False, 303)
    assert "The changes are being compared" in waiting
    assert "Soup 7" in preview
    assert (shown.status_code, shown.headers["Location"].partition("/dashboard")[2]) == (
        303,
        f"/stores/{store.id}/menu",
    )
    assert len(await store.public_items()) == 600


async def test_a_file_that_was_not_previewed_is_not_applied(dashboard, store):
    _, preview = await upload(dashboard, store, MENU)
    fields = {name: value for name, value in carried(preview).items() if name != "content"}

    status, page = await upload(dashboard, store, MENU.replace(b"Gazpacho", b"Borscht"), **fields)

    assert (status, await store.public_items()) == (200, [])
    assert "Borscht" in page


async def test_lines_are_those_of_the_file_when_columns_are_left_out(dashboard, store):
    raw = b'Category,Product,Price,Notes\r\nCoffee,Latte,4.20,"one\ntwo\nthree"\r\nCoffee,Tea,abc,x\r\n'
    chosen = {"column.0": "category", "column.1": "name", "column.2": "price", "column.3": ""}
    _, mapping = await upload(dashboard, store, raw)

    page = await dashboard.post(f"/stores/{store.id}/menu/import", {**carried(mapping), **chosen}, status=422)

    assert re.search(r"<td class=\"number\">5</td>\s*<td>price</td>", page)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"Category,Name,Price,Extra\rCoffee,Latte,4.20,a\rCoffee,Tea,3.20,y\r", 200),
        (b'Category,Name,Price,Extra\r\nCoffee,Latte,4.20,"a\nb"\nCoffee,Tea,3.20,y\rCoffee,Mocha,4.00,z\r\n', 200),
        (b"Category,Name,Price,Extra\r\nCoffee,Latte,4.20,one\rtwo\r\n", 200),
        (b"Category,Name,Price,Extra\nCoffee,Latte,4.20," + b"x" * 200_000, 422),
        (b'Category,Name,Price,Extra\nCoffee,"Lat', 422),
        (b"PK\x03\x04 is no workbook", 422),
    ],
)
async def test_odd_files_are_shown_or_refused_with_a_sentence(dashboard, store, raw, status):
    assert (await upload(dashboard, store, raw))[0] == status


async def test_thousands_of_columns_are_refused_at_once(dashboard, store):
    raw = ",".join(f"column {number}" for number in range(20_000)).encode()
    begun = time.process_time()

    status, page = await upload(dashboard, store, raw)

    # 20 s were spent on this while nobody else was served.
    assert time.process_time() - begun < 3
    assert status == 422
    assert "A table may have at most 200 columns." in page


def list_matches(text):
    columns = ["category", "name", "price", "compare_at_price", "description", "tax_rate", "brand", "sku"]
    return [each.match for each in match_columns(text.encode(), columns)]


@pytest.mark.parametrize(
    ("headings", "matches"),
    [
        ("Category,Name,Cost,Price", ["category", "name", "", "price"]),
        ("Category,Name,Prices,Price", ["category", "name", "", "price"]),
        ("Product name,Name,Wholesale price,Amount", ["", "name", "", "price"]),
        ("SEO Description,Meta description,Description,Tax category", ["", "", "description", ""]),
        ("Categry,Nmae,Desription,Vendor", ["category", "name", "description", "brand"]),
        ("Default Unit Cost,Unit price,Tax,Name", ["", "price", "tax_rate", "name"]),
    ],
)
def test_columns_are_guessed_by_name_before_likeness(headings, matches):
    assert list_matches(f"{headings}\na,b,c,d\n") == matches


def test_errors_are_sorted_by_line_and_nonsense_is_no_file():
    error = ValidationFailed({"line.12.price": ["Wrong."], "line.3": ["Bad row."], "menu": ["Too many."]})

    assert [(row["line"], row["column"]) for row in list_errors(error)] == [(None, "menu"), (3, ""), (12, "price")]
    assert unpack("nonsense") == b""
