"""Installable pages: the manifest, the worker and what it keeps."""

import dataclasses
import json
import re

import pytest
from comanda.basics.startup_errors import InvalidDeclaration
from comanda.composition.app import create_app
from comanda.contracts.web.pages import Pages
from comanda.web.installable import InstallablePage
from quart import Blueprint

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "static").mkdir()
    (tmp_path / "static/counter.js").write_text("export {};")
    (tmp_path / "static/notes.txt").write_text("Not a file of the page.")
    return tmp_path / "static"


@pytest.fixture
def counter(runtime, folder):
    """The client of an application with an installable page."""
    blueprint = Blueprint("garden", __name__, static_folder=folder, static_url_path="/garden/static")
    page = InstallablePage(
        blueprint, name="Counter", path="/counter/", files={"comanda": ("texts.js",), "garden": ("*.js",)}
    )

    @blueprint.get("/counter/")
    async def show_counter():
        return await page.render("comanda/problem.html", name="Counter", sentence="Roses.")

    registry = dataclasses.replace(runtime.registry, pages=(*runtime.registry.pages, Pages(blueprint)))
    return create_app(dataclasses.replace(runtime, registry=registry), with_background=False).test_client()


async def read_worker(client):
    response = await client.get("/counter/worker.js")
    text = await response.get_data(as_text=True)
    constants = dict(re.findall(r"^const (RELEASE|SHELL|FILES) = (.+);$", text, re.MULTILINE))
    return response, {name: json.loads(value) for name, value in constants.items()}


async def test_manifest_names_page_and_icons(counter):
    response = await counter.get("/counter/manifest.webmanifest", headers={"Accept-Language": "ar"})
    manifest = await response.get_json(force=True)

    assert (response.status_code, response.mimetype) == (200, "application/manifest+json")
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/counter/", "/counter/", "standalone")
    assert (manifest["lang"], manifest["dir"]) == ("ar", "rtl")
    assert [(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    ]
    for icon in manifest["icons"]:
        data = await (await counter.get(icon["src"])).get_data()
        size = int.from_bytes(data[16:20])
        assert (data[:8], f"{size}x{size}") == (PNG, icon["sizes"])


async def test_worker_lists_files_that_exist(counter):
    response, constants = await read_worker(counter)

    assert (response.mimetype, response.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert constants["SHELL"] == "/counter/"
    names = [re.sub(r"/v-[0-9a-f]{12}/", "/", path) for path in constants["FILES"]]
    assert {"/garden/static/counter.js", "/own/texts.js", "/own/comanda.css"} <= set(names)
    assert "/garden/static/notes.txt" not in names
    assert len(set(constants["FILES"])) == len(constants["FILES"])
    for path in constants["FILES"]:
        assert (await counter.get(path)).status_code == 200


async def test_release_is_that_of_page_and_changes_with_files(counter, folder):
    _, before = await read_worker(counter)
    page = await counter.get("/counter/")
    (folder / "another.js").write_text("export {};")
    _, after = await read_worker(counter)

    assert (page.status_code, page.headers["Page-Release"]) == (200, before["RELEASE"])
    assert page.headers["Cache-Control"] == "no-cache"
    assert after["RELEASE"] != before["RELEASE"]


@pytest.mark.parametrize("path", ["/counter", "/"])
def test_path_without_scope_of_its_own_is_refused(path):
    with pytest.raises(InvalidDeclaration, match="ends with a slash"):
        InstallablePage(Blueprint("garden", __name__), name="Counter", path=path, files={})
