"""The page for drivers, as it is served; the browser tests use it."""

import re


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
