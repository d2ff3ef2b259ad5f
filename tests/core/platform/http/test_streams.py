"""Answers that come in parts, and routes that take or give something else than JSON."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest
from comanda.contracts.requests.calls import Answer, Call, Unvalidated
from comanda.contracts.requests.fields import Body
from comanda.contracts.requests.routes import PUBLIC, FileUpload, Routes
from comanda.web.api_reference import openapi
from quart.testing.connections import HTTPDisconnectError

other = Routes("Other", callers=PUBLIC, is_documented=True)
finished = []


class Photo(Body):
    text: str = ""


@other.get("/other/ticks", content_types=("text/event-stream",))
async def tick() -> Answer:
    """Yield three parts."""

    async def parts():
        try:
            for number in range(3):
                yield b"data: %d\n\n" % number
                await asyncio.sleep(0)
        finally:
            finished.append("ticks")

    return Answer(parts(), content_type="text/event-stream")


@other.get("/other/endless", content_types=("text/event-stream",))
async def endless() -> Answer:
    """Yield until nobody listens."""

    async def parts():
        try:
            yield b"data: first\n\n"
            await asyncio.Event().wait()
        finally:
            finished.append("endless")

    return Answer(parts(), content_type="text/event-stream")


@other.get("/other/broken", content_types=("text/csv",))
async def break_off() -> Answer:
    """Fail after the first part."""

    async def parts():
        yield b"first"
        raise RuntimeError("The database is gone.")

    return Answer(parts(), content_type="text/csv")


@other.post("/other/photo", upload=FileUpload(("image/png",), max_bytes=3_000_000))
async def take_photo(call: Call, body: Unvalidated[Photo]) -> dict[str, int]:
    """Take a photo."""
    return {"bytes": len(call.body)}


async def test_parts_are_sent_as_they_come(new_client):
    finished.clear()

    response = await new_client(other).get("/api/v1/other/ticks")

    assert response.content_type == "text/event-stream"
    assert "X-Request-Id" in response.headers
    assert await response.get_data() == b"data: 0\n\ndata: 1\n\ndata: 2\n\n"
    assert finished == ["ticks"]


async def test_answer_ends_when_client_disconnects(new_client):
    finished.clear()

    async with new_client(other).request("/api/v1/other/endless") as connection:
        await connection.send_complete()
        assert await connection.receive() == b"data: first\n\n"
        await connection.disconnect()
        async with asyncio.timeout(120):
            with suppress(HTTPDisconnectError):
                await connection.receive()

    assert finished == ["endless"]


async def test_answer_that_fails_midway_is_not_completed(new_client):
    connection = new_client(other).request("/api/v1/other/broken")

    with pytest.raises(RuntimeError, match="The database is gone"):
        await request_until_end(connection)

    assert await (await connection.as_response()).get_data() == b"first"


async def request_until_end(connection):
    async with connection:
        await connection.send_complete()


async def test_route_accepts_declared_types_and_size(new_client):
    client = new_client(other)

    taken = await client.post("/api/v1/other/photo", data=bytes(2_500_000), headers={"Content-Type": "image/png"})
    strange = await client.post("/api/v1/other/photo", data=b"abc", headers={"Content-Type": "image/tiff"})
    too_large = await client.post("/api/v1/other/photo", data=bytes(3_000_001), headers={"Content-Type": "image/png"})

    assert (taken.status_code, await taken.get_json()) == (201, {"bytes": 2_500_000})
    assert (strange.status_code, too_large.status_code) == (415, 413)
    assert (await too_large.get_json())["message"] == "The body is larger than 3000000 bytes."


def test_openapi_describes_content_types_of_route(runtime):
    registry = replace(runtime.registry, routes=tuple(other))

    paths = openapi.document(registry, "http://comanda.test")["paths"]

    assert list(paths["/api/v1/other/ticks"]["get"]["responses"]["200"]["content"]) == ["text/event-stream"]
    assert list(paths["/api/v1/other/photo"]["post"]["requestBody"]["content"]) == ["application/json", "image/png"]
