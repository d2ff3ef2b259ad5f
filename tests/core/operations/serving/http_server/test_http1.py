"""HTTP/1.1: bodies, framing and upgrades."""

import asyncio

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from raw_requests import expect_end, request_head, send_request


@pytest.mark.parametrize("path", ["/refused", "/late"])
async def test_a_small_body_is_discarded_and_the_next_request_answered(serving, application, path):
    async with serving(application) as server:
        client = await server.connect()
        for _ in range(3):
            await client.send(request_head(path, Content_Length=60_000) + bytes(10))
            await asyncio.sleep(0.02)
            await client.send(bytes(59_990))
            status, headers, body = await client.answer()
            assert (status, "connection" in headers, body) == (401, False, b"refused")

        assert await send_request(client, request_head("/echo", Content_Length=4) + b"next") == (200, b"next")
        client.close()
        await server.until_closed()


async def test_a_chunked_body_is_discarded_to_its_end(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head(Transfer_Encoding="chunked") + b"5\r\nhello\r\n")
        await asyncio.sleep(0.02)
        await client.send(b"3\r\nyou\r\n0\r\n\r\n")

        assert (await client.answer())[0] == 401
        assert await send_request(client, request_head("/echo", Content_Length=4) + b"next") == (200, b"next")
        client.close()


@pytest.mark.parametrize(
    "request_",
    [
        request_head(Content_Length=1_500_000),
        request_head(Content_Length=1_500_000) + bytes(700_000),
        request_head(Content_Length=66_000) + bytes(65_999),
        request_head(Content_Length=10) + b"slow",
        request_head(Transfer_Encoding="chunked") + b"5\r\nhello\r\n",
        request_head(Transfer_Encoding="chunked") + b"20000\r\n" + bytes(0x20000) + b"\r\n",
        request_head(Expect="100-continue", Content_Length=10),
    ],
)
async def test_large_unread_body_closes_connection(serving, application, request_):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_)

        status, headers, body = await client.answer()

        assert (status, headers["connection"], body) == (401, "close", b"refused")
        await expect_end(client)
        await server.until_closed()
        assert application.ended == ["/refused"]


async def test_100_is_sent_when_the_application_asks_for_the_body(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head("/echo", Expect="100-continue", Content_Length=4))
        assert (await client.answer())[0] == 100

        await client.send(b"body")

        assert (await client.answer())[::2] == (200, b"body")
        assert await send_request(client, request_head("/echo", Content_Length=4) + b"next") == (200, b"next")
        client.close()


async def test_requests_sent_at_once_are_answered_in_turn(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"".join(request_head("/echo", Content_Length=1) + b"%d" % number for number in range(9)))

        assert [(await client.answer())[2] for _ in range(9)] == [b"%d" % number for number in range(9)]
        client.close()


async def test_bytes_after_the_last_request_hold_nothing(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(
            request_head("/late", Connection="close", Content_Length=1) + b"x" + request_head("/echo") + bytes(100_000)
        )

        assert (await client.answer())[0] == 401
        await expect_end(client)
        await server.until_closed()
        assert application.asked == ["/late"]


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


AMBIGUOUS = {
    "length and chunks": b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n",
    "folded chunks and length": b"Content-Length: 6\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "a list of lengths": b"Content-Length: 5, 6\r\n\r\nhello",
    "a folded length": b"Content-Length: 5\r\n 0\r\n\r\nhello",
    "a signed length": b"Content-Length: +5\r\n\r\nhello",
    "a negative length": b"Content-Length: -5\r\n\r\nhello",
    "a length in hexadecimal": b"Content-Length: 0x5\r\n\r\nhello",
    "an underscored length": b"Content-Length: 0_5\r\n\r\nhello",
    "no length": b"Content-Length:\r\n\r\n",
    "chunks twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks in a list": b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "another coding": b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "hidden chunks": b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "identity": b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello",
    "a space before the colon": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a bare carriage return": b"X: y\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello",
    "a NUL": b"Content-Length: 5\x00\r\n\r\nhello",
    "two hosts": b"Host: other\r\nContent-Length: 5\r\n\r\nhello",
    "a signed chunk": b"Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n",
    "a negative chunk": b"Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
    "a chunk in hexadecimal": b"Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
    "a chunk without size": b"Transfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n",
    "a chunk larger than it says": b"Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n",
    "an endless chunk size": b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 30 + b"5\r\nhello\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("framing", AMBIGUOUS.values(), ids=AMBIGUOUS)
async def test_a_body_that_could_end_elsewhere_is_refused_and_the_connection_closed(
    serving, application, framing, engine_name
):
    if engine_name == "uvicorn" and framing == AMBIGUOUS["an endless chunk size"]:
        pytest.skip("llhttp reads leading zeros of a size as every parser does that accepts them")
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"POST /echo HTTP/1.1\r\nHost: localhost\r\n" + framing + SMUGGLED)

        status, headers, _ = await client.answer()

        assert (status in {400, 501}, headers["connection"]) == (True, "close")
        await expect_end(client)
        assert "/smuggled" not in application.asked


async def test_chunks_in_http_1_0_are_refused(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")

        assert (await client.answer())[0] == 400
        await expect_end(client)


async def test_malformed_body_is_reported_to_application(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head("/echo", Transfer_Encoding="chunked") + b"3\r\nabc\r\n")
        await asyncio.sleep(0.05)
        await client.send(b"nonsense\r\n")

        assert (await client.answer())[0] == 400
        await expect_end(client)
        await server.until_closed()
        assert application.ended == ["/echo"]


async def test_an_upgrade_to_http_2_is_not_taken(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        upgrade = request_head(
            "/refused", Connection="Upgrade, HTTP2-Settings", Upgrade="h2c", HTTP2_Settings="AAMAAABkAAQ"
        )

        assert await send_request(client, upgrade) == (401, b"refused")
        client.close()


async def test_head_and_body_are_sent_together(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        for _ in range(50):
            await client.send(request_head("/echo", Content_Length=4) + b"body")
            received = await client.reader.read(65_536)
            assert (received[:13], received[-8:]) == (b"HTTP/1.1 200 ", b"\r\n\r\nbody")
        client.close()


async def test_head_is_sent_while_the_body_is_awaited(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_head("/waiting"))
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            head = await client.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        client.close()
        await server.until_closed()
