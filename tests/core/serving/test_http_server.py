"""What one connection may hold: bodies that nobody reads, slow clients, ambiguous framing, too many connections."""

import asyncio
import socket
import struct
import time

import pytest
from comanda.serving.http_server import connection

HEAD = "POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"


def head(path="/refused", **headers):
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return HEAD.format(path=path, headers=lines).encode()


async def ask(client, request):
    """Send a request and return the status and the body of its answer."""
    await client.send(request)
    status, _, body = await client.answer()
    return status, body


async def ends(client):
    """Expect the server to end the connection."""
    assert await client.rest() == b""
    client.close()


@pytest.mark.parametrize("path", ["/refused", "/late"])
async def test_a_small_body_is_discarded_and_the_next_request_answered(serving, application, path):
    async with serving(application) as server:
        client = await server.connect()
        for _ in range(3):
            await client.send(head(path, Content_Length=60_000) + bytes(10))
            await asyncio.sleep(0.02)
            await client.send(bytes(59_990))
            status, headers, body = await client.answer()
            assert (status, "connection" in headers, body) == (401, False, b"refused")

        assert await ask(client, head("/echo", Content_Length=4) + b"next") == (200, b"next")
        client.close()
        await server.until_closed()


async def test_a_chunked_body_is_discarded_to_its_end(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head(Transfer_Encoding="chunked") + b"5\r\nhello\r\n")
        await asyncio.sleep(0.02)
        await client.send(b"3\r\nyou\r\n0\r\n\r\n")

        assert (await client.answer())[0] == 401
        assert await ask(client, head("/echo", Content_Length=4) + b"next") == (200, b"next")
        client.close()


@pytest.mark.parametrize(
    "request_",
    [
        head(Content_Length=1_500_000),
        head(Content_Length=1_500_000) + bytes(700_000),
        head(Content_Length=66_000) + bytes(65_999),
        head(Content_Length=10) + b"slow",
        head(Transfer_Encoding="chunked") + b"5\r\nhello\r\n",
        head(Transfer_Encoding="chunked") + b"20000\r\n" + bytes(0x20000) + b"\r\n",
        head(Expect="100-continue", Content_Length=10),
    ],
)
async def test_otherwise_the_answer_says_that_the_connection_closes_and_it_does(serving, application, request_):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(request_)

        status, headers, body = await client.answer()

        assert (status, headers["connection"], body) == (401, "close", b"refused")
        await ends(client)
        await server.until_closed()
        assert application.ended == ["/refused"]


async def test_a_client_that_sends_all_before_it_reads_still_reads_the_answer(serving, application):
    def exchange(port):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
            plain.sendall(head(Content_Length=6_000_000) + bytes(6_000_000))
            return plain.makefile("rb").read()

    async with serving(application) as server:
        whole = await asyncio.to_thread(exchange, server.port)

        assert whole.startswith(b"HTTP/1.1 401")
        assert whole.endswith(b"\r\n\r\nrefused")
        await server.until_closed()


async def test_a_client_that_goes_on_sending_after_its_answer_is_left(serving, application, monkeypatch):
    monkeypatch.setattr(connection, "MAX_LINGER_SECONDS", 0.5)
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head(Content_Length=10**9))
        assert (await client.answer())[0] == 401

        async def flood():
            while True:
                await client.send(bytes(1000))
                await asyncio.sleep(0.01)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(flood(), 10)
        await server.until_closed()


async def test_100_is_sent_when_the_application_asks_for_the_body(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head("/echo", Expect="100-continue", Content_Length=4))
        assert (await client.answer())[0] == 100

        await client.send(b"body")

        assert (await client.answer())[::2] == (200, b"body")
        assert await ask(client, head("/echo", Content_Length=4) + b"next") == (200, b"next")
        client.close()


async def test_a_body_larger_than_the_queue_reaches_the_application_whole(serving, application):
    body = bytes(range(256)) * 8000
    async with serving(application) as server:
        client = await server.connect()

        assert await ask(client, head("/echo", Content_Length=len(body)) + body) == (200, body)
        client.close()


async def test_requests_sent_at_once_are_answered_in_turn(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"".join(head("/echo", Content_Length=1) + b"%d" % number for number in range(9)))

        assert [(await client.answer())[2] for _ in range(9)] == [b"%d" % number for number in range(9)]
        client.close()


async def test_bytes_after_the_last_request_hold_nothing(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head("/late", Connection="close", Content_Length=1) + b"x" + head("/echo") + bytes(100_000))

        assert (await client.answer())[0] == 401
        await ends(client)
        await server.until_closed()
        assert application.asked == ["/late"]


async def test_the_socket_of_a_client_that_leaves_is_closed_at_once(serving, application):
    async with serving(application) as server:
        fresh, used, cut, waiting = [await server.connect() for _ in range(4)]
        assert await ask(used, head("/echo", Content_Length=1) + b"x") == (200, b"x")
        await cut.send(b"POST / HT")
        await waiting.send(head("/echo", Content_Length=100) + b"x")
        await asyncio.sleep(0.05)
        assert server.open == 4

        for client in (fresh, used, cut, waiting):
            client.writer.write_eof()

        await server.until_closed(1)
        for client in (fresh, used, cut, waiting):
            client.close()


async def test_a_half_closed_client_reads_its_answer(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head("/late", Content_Length=1) + b"x")
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
        assert await ask(client, head("/echo", Content_Length=1) + b"x") == (200, b"x")
        trickling = asyncio.create_task(trickle(client, b"POST / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 99))

        started = asyncio.get_running_loop().time()
        assert (await client.rest()).startswith(b"HTTP/1.1 408")

        assert asyncio.get_running_loop().time() - started < 2
        client.close()
        await asyncio.gather(trickling, return_exceptions=True)


async def trickle(client, data):
    for number in range(len(data)):
        await client.send(data[number : number + 1])
        await asyncio.sleep(0.05)


async def test_an_idle_connection_is_ended(serving, application):
    async with serving(application, keep_alive_timeout=0.2) as server:
        client = await server.connect()
        assert await ask(client, head("/echo", Content_Length=1) + b"x") == (200, b"x")

        await ends(client)
        await server.until_closed()


def lazy(port, request, buffer=4096):
    """Connect a client that reads nothing, with a small buffer."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    plain.connect(("127.0.0.1", port))
    plain.sendall(request)
    return plain


@pytest.mark.parametrize("path", ["/large", "/stream"])
async def test_a_client_that_does_not_read_is_dropped(serving, application, path):
    async with serving(application, send_timeout_seconds=0.5) as server:
        plain = lazy(server.port, head(path))
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
        plain = lazy(server.port, head("/large"), buffer=200_000)

        assert await asyncio.to_thread(read, plain) > 20_000_000
        plain.close()


async def test_a_process_takes_so_many_connections_and_takes_more_when_some_have_ended(serving, application):
    async with serving(application, max_connections=3) as server:
        clients = [await server.connect() for _ in range(3)]
        assert await ask(clients[0], head("/echo", Content_Length=1) + b"x") == (200, b"x")
        refused = await server.connect()
        await refused.send(head("/echo", Content_Length=1) + b"x")

        status, headers, body = await refused.answer()

        assert (status, headers["connection"], headers["retry-after"]) == (503, "close", "5")
        assert b'"code":"unavailable"' in body
        await ends(refused)
        clients.pop().close()
        await server.until_closed(left=2)
        another = await server.connect()
        assert await ask(another, head("/echo", Content_Length=1) + b"y") == (200, b"y")
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
async def test_a_body_that_could_end_elsewhere_is_refused_and_the_connection_closed(serving, application, framing):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"POST /echo HTTP/1.1\r\nHost: localhost\r\n" + framing + SMUGGLED)

        status, headers, _ = await client.answer()

        assert (status in {400, 501}, headers["connection"]) == (True, "close")
        await ends(client)
        assert "/smuggled" not in application.asked


async def test_chunks_in_http_1_0_are_refused(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(b"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")

        assert (await client.answer())[0] == 400
        await ends(client)


async def test_the_application_learns_of_a_body_that_turns_out_malformed(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head("/echo", Transfer_Encoding="chunked") + b"3\r\nabc\r\n")
        await asyncio.sleep(0.05)
        await client.send(b"nonsense\r\n")

        assert (await client.answer())[0] == 400
        await ends(client)
        await server.until_closed()
        assert application.ended == ["/echo"]


async def test_an_upgrade_to_http_2_is_not_taken(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        upgrade = head("/refused", Connection="Upgrade, HTTP2-Settings", Upgrade="h2c", HTTP2_Settings="AAMAAABkAAQ")

        assert await ask(client, upgrade) == (401, b"refused")
        client.close()


async def test_a_client_that_resets_its_connection_leaves_nothing(serving, application):
    async with serving(application) as server:
        for request in (b"", head("/late", Content_Length=9), head("/echo", Content_Length=9) + b"x", head("/stream")):
            plain = socket.create_connection(("127.0.0.1", server.port))
            plain.sendall(request)
            await asyncio.sleep(0.05)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            plain.close()

        await server.until_closed()
        assert sorted(application.ended) == ["/echo", "/late", "/stream"]


async def test_stopping_ends_streams_uploads_stalled_clients_and_stubborn_handlers_in_time(serving, application):
    async with serving(application, graceful_timeout=8) as server:
        clients = [await server.connect() for _ in range(30)]
        requests = [head("/endless"), head("/echo", Content_Length=9) + b"x", head(Content_Length=10**7), b"POST", b""]
        for number, client in enumerate(clients):
            await client.send(requests[number % 5])
        clients.append(await server.connect())
        await clients[-1].send(head("/stubborn"))
        plain = lazy(server.port, head("/large"))
        await asyncio.sleep(0.2)

        started = asyncio.get_running_loop().time()
        server.stopping.set()
        await asyncio.wait_for(asyncio.shield(server.task), 20)

        assert asyncio.get_running_loop().time() - started < 8
        assert server.open == 0
        assert application.ended[-1] == "cancelled"
        plain.close()
        for client in clients:
            client.close()


async def test_stopping_waits_for_the_answer_and_says_that_the_connection_closes(serving, application):
    async with serving(application) as server:
        client = await server.connect()
        await client.send(head("/late", Content_Length=1) + b"x")
        await asyncio.sleep(0.05)
        server.stopping.set()

        status, headers, _ = await client.answer()

        assert (status, headers["connection"]) == (401, "close")
        await ends(client)
