"""Shutdown of the server."""

import asyncio

from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from raw_requests import connect_stalled, expect_end, request_head


async def test_stopping_ends_streams_uploads_stalled_clients_and_stubborn_handlers(serving, application):
    async with serving(application, graceful_timeout=8) as server:
        clients = [await server.connect() for _ in range(30)]
        requests = [
            request_head("/endless"),
            request_head("/echo", Content_Length=9) + b"x",
            request_head(Content_Length=10**7),
            b"POST",
            b"",
        ]
        for number, client in enumerate(clients):
            await client.send(requests[number % 5])
        clients.append(await server.connect())
        await clients[-1].send(request_head("/stubborn"))
        plain = connect_stalled(server.port, request_head("/large"))
        await asyncio.sleep(0.2)

        server.stopping.set()
        await asyncio.wait_for(asyncio.shield(server.task), MAX_WAIT_SECONDS)

        assert server.open == 0
        assert application.ended[-1] == "cancelled"
        plain.close()
        for client in clients:
            client.close()


async def test_stopping_waits_for_answer_and_closes_connection(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head("/late", Content_Length=1) + b"x")
        await asyncio.sleep(0.05)
        server.stopping.set()

        status, headers, _ = await client.answer()

        assert (status, headers["connection"]) == (401, "close")
        await expect_end(client)
