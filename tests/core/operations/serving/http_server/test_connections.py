"""Limits of connections."""

import asyncio
import gc
import weakref

from raw_requests import expect_end, request_head, send_request


async def test_a_process_takes_so_many_connections_and_takes_more_when_some_have_ended(serving, application):
    async with serving(application, max_connections=3) as server:
        clients = [await server.connect() for _ in range(3)]
        assert await send_request(clients[0], request_head("/echo", Content_Length=1) + b"x") == (200, b"x")
        refused = await server.connect()
        await refused.send(request_head("/echo", Content_Length=1) + b"x")

        status, headers, body = await refused.answer()

        assert (status, headers["connection"], headers["retry-after"]) == (503, "close", "5")
        assert b'"code":"unavailable"' in body
        await expect_end(refused)
        clients.pop().close()
        await server.until_closed(left=2)
        another = await server.connect()
        assert await send_request(another, request_head("/echo", Content_Length=1) + b"y") == (200, b"y")
        for client in (*clients, another):
            client.close()


async def test_an_address_has_so_many_connections(serving, application):
    async with serving(application, max_connections_per_address=2) as server:
        clients = [await server.connect() for _ in range(2)]
        await asyncio.sleep(0.02)
        refused = await server.connect()

        status, headers, _ = await refused.answer()

        assert (status, headers["connection"]) == (429, "close")
        for client in (refused, *clients):
            client.close()


async def test_an_ended_connection_leaves_nothing_to_the_garbage_collector(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        assert await send_request(client, request_head("/echo", Content_Length=1) + b"x") == (200, b"x")
        gc.disable()
        try:
            references = [weakref.ref(connection) for connection in server.open_connections]
            client.close()
            await server.until_closed()
            await asyncio.sleep(0.05)

            assert [reference() for reference in references] == [None]
        finally:
            gc.enable()
