"""A plain request of the test client reaches the application, and comes back, as one of Quart's own client does."""

import asyncio
from contextvars import ContextVar

import pytest
from comanda.devkit.testing import client as client_module
from quart import Quart, request
from quart.testing import QuartClient

OF_ITS_OWN = {"x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "date"}
touched = ContextVar("touched", default=False)


def kept(response):
    return {name: value for name, value in response.headers.items() if name.lower() not in OF_ITS_OWN}


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/api/v1", {}),
        ("/api/v1/me", {}),
        ("/api/v1/restaurants?page=1&per_page=2", {}),
        ("/api/v1/restaurants/1e3/menu", {}),
        ("/api/v1/n%C3%A9ant", {}),
        ("/api/v1/webhook-endpoints", {"method": "POST", "json": {"url": "nowhere"}}),
        ("/api/v1/webhook-endpoints", {"method": "POST", "data": b"\xff", "headers": {"Content-Type": "text/plain"}}),
        ("/api/v1/menu/1", {"method": "OPTIONS", "headers": {"Origin": "https://eat.example"}}),
        ("/mcp", {"method": "POST", "data": "{}"}),
    ],
)
async def test_the_answer_is_that_of_quarts_client(app, client, owner, path, options):
    options = {**options, "headers": {**owner.auth, **options.get("headers", {})}}

    mine, theirs = await client.open(path, **options), await QuartClient(app).open(path, **options)

    assert (mine.status_code, kept(mine)) == (theirs.status_code, kept(theirs))
    if mine.status_code < 400:
        assert await mine.get_data() == await theirs.get_data()


async def test_context_variables_do_not_leak():
    app = Quart("touching")

    @app.get("/api/v1/touch")
    async def touch():
        touched.set(True)
        await asyncio.sleep(0)
        return "done"

    response = await client_module.CheckedClient(app).get("/api/v1/touch")

    assert await response.get_data(as_text=True) == "done"
    assert touched.get() is False


async def test_cookies_are_left_to_quarts_client():
    app = Quart("keeping")

    @app.get("/api/v1/told")
    async def told():
        return request.cookies.get("taste", "none")

    client = client_module.CheckedClient(app)
    assert await (await client.get("/api/v1/told")).get_data(as_text=True) == "none"
    client.set_cookie("localhost", "taste", "sweet")
    assert await (await client.get("/api/v1/told")).get_data(as_text=True) == "sweet"
