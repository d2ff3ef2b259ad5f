"""One connection: timeouts and disconnects."""

import asyncio
import socket
import struct
import time

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.operations.serving.http_server import connection
from raw_requests import connect_stalled, expect_end, request_head, send_request


async def test_a_client_that_sends_all_before_it_reads_still_reads_the_answer(serving, application):
    def exchange(port):
        with socket.create_connection(("127.0.0.1", port), timeout=MAX_WAIT_SECONDS) as plain:
            plain.sendall(request_head(Content_Length=6_000_000) + bytes(6_000_000))
            return plain.makefile("rb").read()

    async with serving(application) as server:
        whole = await asyncio.to_thread(exchange, server.port)

        assert whole.startswith(b"HTTP/1.1 401")
        assert whole.endswith(b"\r\n\r\nrefused")
        await server.until_closed()


async def test_client_that_keeps_sending_is_disconnected(serving, application, monkeypatch):
    monkeypatch.setattr(connection, "MAX_LINGER_SECONDS", 0.5)
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head(Content_Length=10**9))
        assert (await client.answer())[0] == 401

        async def flood():
            while True:
                await client.send(bytes(1000))
                await asyncio.sleep(0.01)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(flood(), MAX_WAIT_SECONDS)
        await server.until_closed()


async def test_the_socket_of_a_client_that_leaves_is_closed_at_once(serving, application):
    async with serving(application) as server:
        fresh, used, cut, waiting = [await server.connect() for _ in range(4)]
        assert await send_request(used, request_head("/echo", Content_Length=1) + b"x") == (200, b"x")
        await cut.send(b"POST / HT")
        await waiting.send(request_head("/echo", Content_Length=100) + b"x")
        await asyncio.sleep(0.05)
        assert server.open == 4

        for client in (fresh, used, cut, waiting):
            client.writer.write_eof()

        await server.until_closed()
        for client in (fresh, used, cut, waiting):
            client.close()


async def test_a_half_closed_client_reads_its_answer(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head("/late", Content_Length=1) + b"x")
        client.writer.write_eof()

        assert (await client.rest()).endswith(b"refused")
        client.close()


@pytest.mark.parametrize("sent", [b"", b"POST / HTTP/1.1\r\nHost: l"])
async def test_a_slow_head_is_ended(serving, application, sent):
    async with serving(application, header_timeout_seconds=0.2) as server:
        client = await server.connect()
        await client.send(sent)

        whole = await client.rest()

        assert whole.startswith(b"HTTP/1.1 408") if sent else whole == b""
        client.close()
        await server.until_closed()


async def test_a_head_that_comes_byte_by_byte_gets_no_more_time(serving, application):
    async with serving(application, header_timeout_seconds=0.3) as server:
        client = await server.connect()
        assert await send_request(client, request_head("/echo", Content_Length=1) + b"x") == (200, b"x")
        trickling = asyncio.create_task(trickle(client, b"POST / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 99))

        assert (await client.rest()).startswith(b"HTTP/1.1 408")

        assert not trickling.done()
        client.close()
        await asyncio.gather(trickling, return_exceptions=True)


async def trickle(client, data):
    for number in range(len(data)):
        await client.send(data[number : number + 1])
        await asyncio.sleep(0.05)


async def test_an_idle_connection_is_ended(serving, application):
    async with serving(application, keep_alive_timeout=0.2) as server:
        client = await server.connect()
        assert await send_request(client, request_head("/echo", Content_Length=1) + b"x") == (200, b"x")

        await expect_end(client)
        await server.until_closed()


@pytest.mark.parametrize("path", ["/large", "/stream"])
async def test_a_client_that_does_not_read_is_dropped(serving, application, path):
    async with serving(application, send_timeout_seconds=0.5) as server:
        plain = connect_stalled(server.port, request_head(path))
        await asyncio.sleep(0.3)
        assert server.open == 1

        await server.until_closed()

        assert application.ended == [path]
        plain.close()


async def test_a_client_that_reads_slowly_gets_everything(serving, application):
    def read(plain):
        size = 0
        while part := plain.recv(1_000_000):
            size += len(part)
            time.sleep(0.02)
            if size > 20_000_000:
                break
        return size

    async with serving(application, send_timeout_seconds=0.5) as server:
        plain = connect_stalled(server.port, request_head("/large"), buffer=200_000)

        assert await asyncio.to_thread(read, plain) > 20_000_000
        plain.close()


async def test_a_client_that_resets_its_connection_leaves_nothing(serving, application):
    async with serving(application) as server:
        for request in (
            b"",
            request_head("/late", Content_Length=9),
            request_head("/echo", Content_Length=9) + b"x",
            request_head("/stream"),
        ):
            plain = socket.create_connection(("127.0.0.1", server.port))
            plain.sendall(request)
            await asyncio.sleep(0.05)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            plain.close()

        await server.until_closed()
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            while sorted(application.ended) != ["/echo", "/late", "/stream"]:  # noqa: ASYNC110 - it announces nothing
                await asyncio.sleep(0.01)
