"""The routes of the test clock."""

from dataclasses import replace
from datetime import timedelta

import pytest
from comanda.basics import clock
from comanda.platform import runtime
from comanda.platform.db import sql


@pytest.fixture
async def enabled(app, monkeypatch):
    made = runtime.current()
    monkeypatch.setattr(
        runtime._process, "runtime", replace(made, settings=made.settings.model_copy(update={"test_clock": True}))
    )
    yield
    clock.set_offset(clock.NO_OFFSET)
    await sql.execute("DELETE FROM core_clock")


@pytest.fixture
def advance(client):
    async def send(**body):
        return await client.post("/api/v1/test-clock/advance", json=body)

    return send


async def test_clock_is_advanced(client, advance, enabled):
    advanced = await advance(by="40d")
    shown = await client.get("/api/v1/test-clock")

    assert (advanced.status_code, shown.status_code) == (200, 200)
    assert (await advanced.get_json())["offset_seconds"] == 3_456_000
    assert (await shown.get_json())["offset_seconds"] == 3_456_000


async def test_advance_backwards_is_refused(advance, enabled):
    refused = await advance(by="-1d")

    assert (refused.status_code, list((await refused.get_json())["errors"])) == (422, ["by"])
    assert clock.get_offset() == timedelta()


@pytest.mark.parametrize("body", [{"by": "40d"}, {}])
async def test_routes_are_not_there_while_off(client, advance, body):
    refused, shown = await advance(**body), await client.get("/api/v1/test-clock")

    assert (refused.status_code, shown.status_code) == (404, 404)
    assert await sql.fetch_value("SELECT count(*) FROM core_clock") == 0


async def test_routes_are_in_no_description(client):
    for path in ("/api/v1/openapi.json", "/api/v1"):
        assert b"test-clock" not in await (await client.get(path)).get_data()
