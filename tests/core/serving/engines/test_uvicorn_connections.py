"""Uvicorn's connections have the limits of the default engine, whose tests ``COMANDA_TEST_ENGINE=uvicorn`` runs."""

import asyncio

import pytest
from comanda.serving.http_server import connection
from raw_requests import connect_stalled, expect_end, request_head, send_request


@pytest.fixture
def engine_name():
    return "uvicorn"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [(b"", b""), (b"POST / HT", b"HTTP/1.1 408"), (b"POST / HTTP/1.1\r\nHost: l", b"HTTP/1.1 408")],
)
async def test_slow_head_is_ended(serving, application, sent, expected):
    async with serving(application, header_timeout_seconds=0.2) as server:
        client = await server.connect()
        await client.send(sent)

        answer = await client.rest()

        assert answer.startswith(expected)
        assert bool(answer) == bool(expected)
        await server.until_closed()


async def test_too_large_head_is_refused(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"GET /echo HTTP/1.1\r\nHost: localhost\r\nX: " + bytes(b"x" * 100_000))

        assert (await client.answer())[0] == 431
        await expect_end(client)
        assert application.asked == []


async def test_an_address_has_so_many_connections(serving, application):
    async with serving(application, max_connections_per_address=2) as server:
        kept = [await server.connect() for _ in range(2)]
        await asyncio.sleep(0.05)
        refused = await server.connect()

        assert (await refused.answer())[0] == 429
        await expect_end(refused)
        for client in kept:
            assert await send_request(client, request_head("/echo", Content_Length=2) + b"ok") == (200, b"ok")


async def test_process_has_so_many_connections(serving, application):
    async with serving(application, max_connections=1) as server:
        kept = await server.connect()
        await asyncio.sleep(0.05)
        refused = await server.connect()

        assert (await refused.answer())[0] == 503
        kept.close()
        await server.until_closed()
        again = await server.connect()
        assert await send_request(again, request_head("/echo", Content_Length=2) + b"ok") == (200, b"ok")


async def test_client_that_does_not_read_is_dropped(serving, application):
    async with serving(application, send_timeout_seconds=0.5) as server:
        plain = connect_stalled(server.port, request_head("/large"))
        await asyncio.sleep(0.3)
        assert server.open == 1

        await server.until_closed()

        plain.close()


async def test_client_that_keeps_sending_reads_its_answer_and_is_dropped(serving, application, monkeypatch):
    monkeypatch.setattr(connection, "MAX_LINGER_SECONDS", 0.5)
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head(Content_Length=10**9))
        status, headers, body = await client.answer()
        assert (status, headers["connection"], body) == (401, "close", b"refused")

        async def flood():
            while True:
                await client.send(bytes(1000))
                await asyncio.sleep(0.01)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(flood(), 10)
        await server.until_closed()


async def test_body_that_could_end_elsewhere_is_refused(serving, application):
    async with serving(application) as server:
        for framing in (
            b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            b"Host: other\r\nContent-Length: 5\r\n\r\nhello",
        ):
            client = await server.connect()
            await client.send(b"POST /echo HTTP/1.1\r\nHost: localhost\r\n" + framing)

            assert (await client.answer())[0] == 400
            await expect_end(client)
        assert application.asked == []


async def test_request_to_upgrade_is_answered_and_ends_connection(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head("/echo", Connection="Upgrade", Upgrade="h2c"))

        status, headers, _ = await client.answer()

        assert (status, headers["connection"]) == (200, "close")
        await expect_end(client)
