"""The page for drivers, as it is served; the browser tests use it."""

import re

from comanda.platform.db import sql


async def test_page_loads_own_files_only_and_no_data(client, kitchen, driver):
    await kitchen.place_assigned(driver)
    response = await client.get("/driver/")
    page = await response.get_data(as_text=True)

    assert response.status_code == 200
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert "Rui" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=", page)
    for path in re.findall(r'(?:src|href)="([^"#]+)"', page):
        found = await client.get(path)
        assert path.startswith("/"), path
        assert found.status_code == 200, path


async def test_static_files_are_revalidated(client):
    for name in ("driver.js", "api.js", "drawing.js", "login.js", "place.js", "driver.css"):
        response = await client.get(f"/driver/static/{name}")
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache"), name


async def test_page_can_be_installed(client):
    manifest = await client.get("/driver/manifest.webmanifest")
    worker = await client.get("/driver/worker.js")

    assert manifest.content_type == "application/manifest+json"
    document = await manifest.get_json()
    assert (document["start_url"], document["scope"], document["display"]) == ("/driver/", "/driver/", "standalone")
    for icon in document["icons"]:
        assert (await client.get(icon["src"])).status_code == 200
    assert (worker.status_code, worker.headers["Cache-Control"]) == (200, "no-cache")


async def test_worker_keeps_every_file_of_the_page(client):
    """A file that is missing in the list would be missing without a connection; one too many stops the installation."""
    text = await (await client.get("/driver/worker.js")).get_data(as_text=True)
    listed = re.search(r"const FILES = \[(.*?)\n\];", text, re.DOTALL)[1]
    names = {f"/driver/static/{name}" for name in re.findall(r'"(\w+\.\w+)"', listed)}
    paths = names | set(re.findall(r'"(/[^"`$]+)"', listed))
    page = await (await client.get("/driver/")).get_data(as_text=True)

    needed = {
        re.sub(r"/v-[0-9a-f]+/", "/", path) for path in re.findall(r'<(?:link|script)[^>]+(?:href|src)="([^"]+)"', page)
    }
    seen = set()
    while scripts := {path for path in needed - seen if path.endswith(".js")}:
        for path in scripts:
            seen.add(path)
            source = await (await client.get(path)).get_data(as_text=True)
            found = re.findall(r'^(?:import|export) .*?from "([^"]+)"', source, re.MULTILINE)
            needed |= {name if name.startswith("/") else f"/driver/static/{name[2:]}" for name in found}
    assert {re.sub(r"/v-[0-9a-f]+/", "/", path) for path in needed} - paths == set()
    for path in paths:
        assert (await client.get(path)).status_code == 200, path


async def test_page_suggests_the_country_of_most_stores(client, kitchen):
    await sql.execute("UPDATE core_store SET country = 'PT'")

    page = await (await client.get("/driver/")).get_data(as_text=True)

    assert '<option value="PT" selected>Portugal (+351)</option>' in page
    assert page.count(" selected>") == 1
