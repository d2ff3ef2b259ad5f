"""Static files under addresses that browsers keep."""

import os
import re
from urllib.parse import urljoin

import pytest
from comanda.web.static_files import static_versions
from comanda.web.static_files.static_versions import StaticFiles

IMMUTABLE = "public, max-age=31536000, immutable"
PAGES = ("/", "/kitchen/", "/driver/", "/docs/design")
ADDRESS = re.compile(r'<(?:script|link)[^>]*?(?:src|href)="(/[^"]+\.(?:js|css|svg))"')
IMPORT = re.compile(r'(?:from|import)\s*\(?\s*"([^"]+\.js)"')


async def read(client, path, **headers):
    response = await client.get(path, headers=headers)
    return response, await response.get_data(as_text=True)


async def get_version(client):
    _, text = await read(client, "/")
    return re.search(r"/own/(v-[0-9a-f]{12})/comanda.css", text)[1]


@pytest.mark.parametrize("page", PAGES)
async def test_a_second_page_view_loads_no_file(client, page):
    version = await get_version(client)
    _, text = await read(client, page)
    left, seen = ADDRESS.findall(text), set()
    assert left
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        response, file = await read(client, path)
        assert (response.status_code, response.headers["Cache-Control"]) == (200, IMMUTABLE), path
        assert f"/{version}/" in path
        if path.endswith(".js"):
            left += [urljoin(path, name) for name in IMPORT.findall(file)]


async def test_imports_from_other_plugins_get_the_version_of_the_script(client):
    version = await get_version(client)
    _, plain = await read(client, "/driver/static/api.js")
    _, versioned = await read(client, f"/driver/static/{version}/api.js")

    assert 'from "/own/session.js"' in plain
    assert f'from "/own/{version}/session.js"' in versioned
    assert versioned.replace(f"{version}/", "") == plain


async def test_bundle_and_what_it_imports_later_are_of_one_version(client):
    version = await get_version(client)
    folder = f"/storefront/static/{version}/shop.bundle/"
    response, bundle = await read(client, f"{folder}shop.js")
    _, later = await read(client, f"{folder}item_dialog.js")
    missing, _ = await read(client, f"{folder}nothing.js")

    assert (response.status_code, response.headers["Cache-Control"]) == (200, IMMUTABLE)
    assert IMPORT.findall(bundle) == [
        f"/own/{version}/texts.js", "./item_dialog.js", "./reward.js", "./account_dialog.js",
    ]  # fmt: skip
    assert {urljoin(folder, name) for name in IMPORT.findall(later)} == {
        f"/own/{version}/texts.js",
        *(f"{folder}{name}.js" for name in ("shop", "gallery", "item_details", "options")),
    }
    assert missing.status_code == 404


@pytest.mark.parametrize("infix", ["", "v-000000000000/"])
async def test_files_of_no_or_another_version_are_asked_for_each_time(client, infix):
    response, text = await read(client, f"/own/{infix}page.js")
    again, _ = await read(client, f"/own/{infix}page.js", **{"If-None-Match": response.headers["ETag"]})

    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache")
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-cache")
    assert "export" in text


@pytest.mark.parametrize(
    "path", ["/own/v-000000000000/", "/own/v-0/page.js", "/own/v-000000000000/../x", "/own/nothing.js"]
)
async def test_files_that_do_not_exist_are_404(client, path):
    assert (await client.get(path)).status_code == 404


def test_a_changed_file_changes_the_version(tmp_path, monkeypatch):
    monkeypatch.setattr(static_versions, "CHECK_SECONDS", 0)
    script = tmp_path / "page.js"
    script.write_text("one")
    files = StaticFiles({"/x/": tmp_path})
    first = files.get_version()
    os.utime(script, (1, 1))
    same = files.get_version()
    script.write_text("two")

    assert re.fullmatch("v-[0-9a-f]{12}", first)
    assert first == same != files.get_version()


def test_files_that_are_not_watched_are_read_once(tmp_path, monkeypatch):
    monkeypatch.setattr(static_versions, "CHECK_SECONDS", 0)
    script = tmp_path / "page.js"
    script.write_text("one")
    files = StaticFiles({"/x/": tmp_path}, is_watched=False)
    first = files.get_version()
    script.write_text("two")

    assert files.get_version() == first


def test_url_defaults_leave_other_addresses_alone(tmp_path):
    values = {"filename": "a.js"}
    StaticFiles({"/x/": tmp_path}).add_version("comanda.ui_file", values)

    assert values == {"filename": "a.js"}
