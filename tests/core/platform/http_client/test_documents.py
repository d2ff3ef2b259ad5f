"""Documents of strangers: read from acceptable addresses, small, without redirects."""

import pytest
from aiohttp import web
from comanda.platform.http_client.documents import MAX_BODY_BYTES, DocumentClient, DocumentUnavailable
from comanda.platform.http_client.target_urls import AllowedTargets

LOOPBACK = AllowedTargets.parse(["127.0.0.0/8"], with_any_name=False)


@pytest.fixture
async def host():
    async def answer(request):
        match request.match_info["name"]:
            case "kept":
                return web.json_response({"a": 1}, headers={"Cache-Control": "public, max-age=60"})
            case "redirect":
                raise web.HTTPFound("/kept")
            case "elsewhere":
                raise web.HTTPFound("http://169.254.169.254/latest")
            case "again":
                raise web.HTTPFound("/again")
            case "large":
                return web.Response(text='"' + "x" * MAX_BODY_BYTES + '"')
            case "text":
                return web.Response(text="{")
        raise web.HTTPNotFound

    server = web.Application()
    server.router.add_get("/{name}", answer)
    runner = web.AppRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def test_document_and_its_age(host):
    found = await DocumentClient(allowed=LOOPBACK).fetch(f"{host}/kept")

    assert (found.content, found.max_age_seconds) == ({"a": 1}, 60)


@pytest.mark.parametrize("name", ["redirect", "large", "text", "missing"])
async def test_what_is_no_small_document_is_refused(host, name):
    with pytest.raises(DocumentUnavailable):
        await DocumentClient(allowed=LOOPBACK).fetch(f"{host}/{name}")


async def test_this_network_is_not_reached(host):
    async def lookup(name):
        return ["10.0.0.1"]

    for url in (f"{host}/kept", "https://a.example/kept", "http://a.example/kept", "https://169.254.169.254/x"):
        with pytest.raises(DocumentUnavailable):
            await DocumentClient(lookup=lookup).fetch(url)


async def read(client, url, max_bytes=100):
    return await client.fetch_bytes(url, accept="text/calendar", max_bytes=max_bytes, timeout_seconds=5)


async def test_bytes_are_read_after_redirects(host):
    client = DocumentClient(allowed=LOOPBACK)

    assert await read(client, f"{host}/redirect") == b'{"a": 1}'
    for name in ("elsewhere", "again", "large", "missing"):
        with pytest.raises(DocumentUnavailable):
            await read(client, f"{host}/{name}")
    with pytest.raises(DocumentUnavailable):
        await read(DocumentClient(), f"{host}/kept")
