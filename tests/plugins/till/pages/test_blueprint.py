"""The page of the till, and the display of its customers."""


async def test_till_is_the_same_for_everybody_and_can_be_installed(client):
    page = await client.get("/till/")
    manifest = await client.get("/till/manifest.webmanifest")
    worker = await client.get("/till/worker.js")

    assert page.status_code == 200
    assert page.headers["Page-Release"]
    assert (await manifest.get_json(force=True))["scope"] == "/till/"
    assert "acts.js" in await worker.get_data(as_text=True)


async def test_display_asks_nobody_to_log_in(client):
    page = await client.get("/till/display/")

    assert page.status_code == 200
    assert "password" not in await page.get_data(as_text=True)
