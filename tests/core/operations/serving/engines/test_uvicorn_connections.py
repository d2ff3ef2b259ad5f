"""What only Uvicorn's connections do: they pass HTTP/2 on. What both engines do is tested beside our connections."""

import asyncio

import h2.config
import h2.connection
import h2.events
import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.operations.serving.engines.uvicorn_connections import HTTP_2_PREFACE
from raw_requests import expect_end, request_head, send_request


@pytest.fixture
def engine_name():
    return "uvicorn"


async def ask_by_http2(client, path):
    """Return the status of a request on a connection that has not begun; its first bytes come one by one."""
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
    connection.initiate_connection()
    headers = [(":method", "POST"), (":path", path), (":scheme", "http"), (":authority", "localhost")]
    connection.send_headers(1, headers, end_stream=True)
    sent = connection.data_to_send()
    for position in range(len(HTTP_2_PREFACE)):
        await client.send(sent[position : position + 1])
        await asyncio.sleep(0)
    await client.send(sent[len(HTTP_2_PREFACE) :])
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        while True:
            for event in connection.receive_data(await client.reader.read(65_536)):
                if isinstance(event, h2.events.ResponseReceived):
                    return dict(event.headers)[":status"]


async def test_http_2_may_begin_byte_by_byte(serving, application):
    async with serving(application) as server:
        assert await ask_by_http2(await server.connect(), "/echo") == "200"
    assert application.asked == ["/echo"]


async def test_connection_of_http_2_counts_until_it_ends(serving, application):
    async with serving(application, max_connections=1) as server:
        first = await server.connect()
        assert await ask_by_http2(first, "/echo") == "200"
        assert server.open == 1
        second = await server.connect()
        assert (await second.answer())[0] == 503
        await expect_end(second)

        first.close()
        await server.until_closed()

        third = await server.connect()
        assert await send_request(third, request_head("/echo", Content_Length=2) + b"ok") == (200, b"ok")


@pytest.mark.parametrize("begun", [b"P", b"PRI * HTTP/2.0\r\n\r\nSM"])
async def test_beginning_of_http_2_has_as_much_time_as_a_head(serving, application, begun):
    async with serving(application, header_timeout_seconds=0.2) as server:
        client = await server.connect()
        await client.send(begun)

        assert (await client.rest()).startswith(b"HTTP/1.1 408")
        await server.until_closed()


async def test_a_method_that_begins_like_http_2_is_served(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        whole = request_head("/echo", Content_Length=2) + b"ok"
        await client.send(whole[:1])
        await asyncio.sleep(0.05)
        await client.send(whole[1:])

        assert (await client.answer())[::2] == (200, b"ok")


async def test_body_of_an_answered_request_is_not_taken_for_a_request(serving, application):
    wait_seconds = [0.0]
    inner = b"GET /inner HTTP/1.1\r\nHost: a\r\n\r\n"
    async with serving(application, expected_wait=lambda: wait_seconds[0], max_discarded_bytes=0) as server:
        client = await server.connect()
        await client.send(request_head(Content_Length=len(inner)))
        assert (await client.answer())[0] == 401
        wait_seconds[0] = 100.0
        await asyncio.sleep(0.05)
        await client.send(inner)

        assert await client.rest() == b""
    assert application.asked == ["/refused"]
