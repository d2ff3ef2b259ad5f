"""The page of the kitchen screen."""


async def test_page_loads_own_files_only(client):
    page = await client.get("/kitchen/")

    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    text = await page.get_data(as_text=True)
    assert "style=" not in text
    assert "http://" not in text.replace("http://comanda.test", "")
    for name in (
        "kitchen.css",
        "kitchen.js",
        "api.js",
        "feed.js",
        "drawing.js",
        "sound.js",
    ):
        file = await client.get(f"/kitchen/static/{name}")
        assert (file.status_code, file.headers["Cache-Control"]) == (200, "no-cache")
