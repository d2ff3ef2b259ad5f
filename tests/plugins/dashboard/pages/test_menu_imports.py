"""Import of menus in the dashboard."""

import re
from io import BytesIO

from comanda.errors import ValidationFailed
from comanda_dashboard.pages.menu_imports import list_errors, match_columns, rename_columns, unpack
from werkzeug.datastructures import FileStorage

MENU = b"category,name,price\nSoups,Gazpacho,6.00\nSoups,Minestrone,5.50\n"
OTHER = "Section;Product;Cost;Shelf\nSoups;Gazpacho;6,00;A1\n"


async def upload(dashboard, store, raw, **fields):
    response = await dashboard.client.post(
        f"/dashboard/stores/{store.id}/menu/import", form={"csrf_token": dashboard.csrf_token, **fields},
        files={"file": FileStorage(BytesIO(raw), "menu.csv")},
    )  # fmt: skip
    return response.status_code, await response.get_data(as_text=True)


def find_hidden(page, name):
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


async def test_changes_are_shown_and_then_applied(dashboard, store):
    path = f"/stores/{store.id}/menu/import"
    status, preview = await upload(dashboard, store, MENU)
    untouched = await store.public_items()

    to = await dashboard.post(path, {"content": find_hidden(preview, "content"), "apply": "1"})

    assert (status, untouched) == (200, [])
    assert "Gazpacho" in preview
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
    carried = {"content": find_hidden(mapping, "content")}
    chosen = {"column.0": "category", "column.1": "name", "column.2": "price", "column.3": ""}

    preview = await dashboard.post(path, {**carried, **chosen}, status=200)
    await dashboard.post(path, {"content": find_hidden(preview, "content"), "apply": "1"})

    assert await store.public_items() == ["Gazpacho"]
    assert [each.match for each in match_columns(OTHER, ["category", "name", "price"])] == [
        "category", "name", "price", "",
    ]  # fmt: skip
    assert rename_columns(OTHER, chosen) == "category;name;price\r\nSoups;Gazpacho;6,00\r\n"


async def test_json_is_imported_and_removes_only_if_asked(dashboard, store):
    await store.item("Old")
    menu = b'{"dry_run": false, "menu": [{"name": "Soups", "items": [{"name": "New", "price": 5}]}]}'

    status, preview = await upload(dashboard, store, menu, remove_missing="1")
    before = await store.public_items()
    fields = {"content": find_hidden(preview, "content"), "apply": "1", "remove_missing": "1"}
    await dashboard.post(f"/stores/{store.id}/menu/import", fields)

    assert (status, before) == (200, ["Old"])
    assert await store.public_items() == ["New"]


def test_errors_are_sorted_by_line_and_nonsense_is_no_file():
    error = ValidationFailed({"line.12.price": ["Wrong."], "line.3": ["Bad row."], "menu": ["Too many."]})

    assert [(row["line"], row["column"]) for row in list_errors(error)] == [(None, "menu"), (3, ""), (12, "price")]
    assert unpack("nonsense") == b""
