"""Under overload, requests that are plain and complete are rejected unparsed; others are left to the application."""

import asyncio

import orjson
import pytest
from comanda.basics.errors import Unavailable
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.operations.serving.http_server.early_refusals import encode_response, find_early_refusal, parse_path
from comanda.platform.http.overload import ESTIMATE_SECONDS, LoadShedder

HEAD = b"POST /api/v1/orders?page=2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"


def test_plain_request_is_understood():
    assert parse_path(b"GET /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n") == "/api/v1/me"
    assert parse_path(HEAD + b"\r\nabc") == "/api/v1/orders"
    assert parse_path(HEAD.replace(b"Content-Length: 3", b"content-length:3") + b"\r\nabc") == "/api/v1/orders"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GET /a HTTP/1.1\r\n",
        b"GET /a HTTP/1.0\r\n\r\n",
        b"HEAD /a HTTP/1.1\r\n\r\n",
        b"OPTIONS /a HTTP/1.1\r\n\r\n",
        b"GET http://a/b HTTP/1.1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        HEAD + b"\r\nab",
        HEAD + b"\r\nabcd",
        HEAD + b"\r\nabcGET /b HTTP/1.1\r\n\r\n",
        HEAD + b"Content-Length: 3\r\n\r\nabc",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nabc",
        HEAD + b"Connection: close\r\n\r\nabc",
        HEAD + b"Expect: 100-continue\r\n\r\nabc",
        HEAD + b"Upgrade: h2c\r\n\r\nabc",
        HEAD + b" folded: 1\r\n\r\nabc",
        HEAD + b"X: a\nContent-Length: 0\r\n\r\nabc",
        HEAD + b"X: a\rY: b\r\n\r\nabc",
        HEAD + b"X: \0\r\n\r\nabc",
        HEAD.replace(b": 3", b": +3") + b"\r\nabc",
        HEAD.replace(b": 3", b" : 3") + b"\r\nabc",
        HEAD.replace(b": 3", b": 3, 3") + b"\r\nabc",
    ],
)
def test_anything_else_is_left_to_the_parser(data):
    assert parse_path(data) is None


def test_refusal_is_a_complete_response():
    head, _, body = encode_response(Unavailable("Busy.", retry_after_seconds=3), {}).partition(b"\r\n\r\n")

    assert head.split(b"\r\n")[0] == b"HTTP/1.1 503 "
    assert b"Retry-After: 3" in head.split(b"\r\n")
    assert b"content-length: %d" % len(body) in head.split(b"\r\n")
    assert orjson.loads(body)["code"] == "unavailable"


def test_health_checks_are_not_rejected():
    shedder = LoadShedder(lambda: 100.0)

    assert find_early_refusal(shedder, b"GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n") is None
    assert find_early_refusal(shedder, b"GET /api HTTP/1.1\r\nHost: a\r\n\r\n") is not None


def test_pages_of_other_origins_can_read_when_to_try_again():
    head = find_early_refusal(LoadShedder(lambda: 100.0), b"GET /api HTTP/1.1\r\nHost: a\r\nOrigin: https://b\r\n\r\n")

    fields = dict(line.split(b": ", 1) for line in head.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:])
    assert fields[b"Access-Control-Allow-Origin"] == b"*"
    assert b"Retry-After" in fields[b"Access-Control-Expose-Headers"]


class Load:
    """How long the queue is, as the server asks."""

    def __init__(self, wait_seconds):
        self.wait_seconds = wait_seconds

    def __call__(self):
        return self.wait_seconds


async def test_connection_serves_again_after_the_overload(serving, application):
    load = Load(100.0)
    plain = b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    chunked = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    answers = []
    async with serving(application, expected_wait=load) as server:
        client = await server.connect()
        for load.wait_seconds, request in ((100.0, plain), (0.0, plain), (3.0, plain), (100.0, chunked), (2.5, plain)):
            await asyncio.sleep(ESTIMATE_SECONDS)
            await client.send(request)
            status, headers, body = await client.answer()
            answers.append((status, headers.get("retry-after"), body if status == 200 else orjson.loads(body)["code"]))

    assert answers == [
        (503, "30", "unavailable"),
        (200, None, b"abc"),
        (503, "3", "unavailable"),
        (200, None, b"abc"),
        (503, "3", "unavailable"),
    ]
    assert application.asked == ["/echo", "/echo"]


async def test_bytes_of_a_begun_request_are_not_taken_for_a_new_one(serving, application):
    load = Load(0.0)
    inner = b"GET /inner HTTP/1.1\r\nHost: a\r\n\r\n"
    async with serving(application, expected_wait=load) as server:
        client = await server.connect()
        await client.send(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n" % len(inner))
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            while not server.has_begun_head:  # noqa: ASYNC110 - the server announces nothing
                await asyncio.sleep(0.01)
        load.wait_seconds = 100.0
        await client.send(b"\r\n" + inner)

        assert (await client.answer())[::2] == (200, inner)
