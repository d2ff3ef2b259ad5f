"""The driver's page, as it is answered; what it does is shown in a browser."""

import re


async def test_the_page_needs_nothing_from_elsewhere_and_holds_nothing_of_anybody(client, kitchen, rider):
    await kitchen.assigned(rider)
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


async def test_scripts_are_asked_for_anew_after_a_release(client):
    for name in ("driver.js", "api.js", "drawing.js", "login.js", "place.js", "driver.css"):
        response = await client.get(f"/driver/static/{name}")
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache"), name
