"""The HTTP client for receivers."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda.platform.http_client import NOTHING_ALLOWED, AllowedTargets, ForbiddenTarget
from comanda_webhooks.client import HttpReceiver, ReceiverResponse, mask_secrets, parse_retry_after

LOOPBACK = AllowedTargets.parse(["127.0.0.0/8"])


PUBLIC_ADDRESS = "93.184.215.14"


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


# A certificate for hooks.example.com that signed itself; it protects nothing. Valid from 2020 to 2120.
CERTIFICATE = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf5jYkemy8CLp/duo
bRdZ53Uyw/3o6O7MCE3EgapGGgChRANCAAT11dka3P5VvmBNxZjaUImcrYEWfDvl
bLGqBmxC0cygYBhGwVNkFMSK3mSwktlboNjkDyFvADRGef+koXsGJ/kd
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBeDCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAAT11dka3P5VvmBNxZjaUImcrYEWfDvlbLGqBmxC0cygYBhGwVNkFMSK3mSw
ktlboNjkDyFvADRGef+koXsGJ/kdo1AwTjAcBgNVHREEFTATghFob29rcy5leGFt
cGxlLmNvbTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSRwQo7OagX24Uhz1ek
dqWmWbDeQzAKBggqhkjOPQQDAgNHADBEAiBJs+9ZKysDPE+BgGvNfZMPi8j+icN4
tyLVmcGhpNyMSAIgF+d1flLBrMCnDgrWlp4PkSBM+b7g8EP29y1zKRcvP+k=
-----END CERTIFICATE-----
"""


Reply = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Sink:
    """A receiver on loopback that responds with exact bytes, and records what it receives."""

    port: int = 0
    connections: int = 0
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    server_names: list[str] = field(default_factory=list)
    reply: bytes | Reply = OK
    closes: bool = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("ascii"):
                line, *rest = head.rstrip().split("\r\n")
                headers = {name.lower(): value for name, value in (text.split(": ", 1) for text in rest)}
                body = await reader.readexactly(int(headers["content-length"]))
                self.requests.append((line, headers, body))
                if callable(self.reply):
                    await self.reply(writer)
                else:
                    writer.write(self.reply)
                    await writer.drain()
                if self.closes:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(sink: Sink, tls: ssl.SSLContext | None = None) -> AsyncIterator[Sink]:
    open_connections: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_connections.add(task)
        try:
            await sink.serve(reader, writer)
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            open_connections.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    sink.port = server.sockets[0].getsockname()[1]
    try:
        yield sink
    finally:
        server.close()
        for task in tuple(open_connections):
            task.cancel()
        await asyncio.gather(*open_connections, return_exceptions=True)
        await server.wait_closed()


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    async with serving(Sink()) as sink:
        yield sink


@pytest.fixture
async def receiver() -> AsyncIterator[HttpReceiver]:
    async with HttpReceiver(allowed=LOOPBACK, timeout_seconds=MAX_WAIT_SECONDS) as receiver:
        yield receiver


@pytest.fixture
async def hurried_receiver() -> AsyncIterator[HttpReceiver]:
    async with HttpReceiver(allowed=LOOPBACK, timeout_seconds=1.5) as receiver:
        yield receiver


@dataclass
class Names:
    """A name server that returns one answer after the other, and then repeats the last one."""

    answers: list[Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if not answer:
            raise OSError(-2, "Name or service not known")
        return answer


def resolving(
    *answers: Sequence[str], allowed: AllowedTargets = NOTHING_ALLOWED, ssl_context: ssl.SSLContext | None = None
) -> HttpReceiver:
    return HttpReceiver(
        allowed=allowed, lookup=Names(list(answers)), timeout_seconds=MAX_WAIT_SECONDS, ssl_context=ssl_context
    )


async def test_exact_bytes_and_headers_arrive(sink: Sink, receiver: HttpReceiver) -> None:
    answer = await receiver.post(
        sink.url + "?a=1", {"webhook-id": "msg_1", "X-Webhook-Event": "ping"}, b'{"a": "\xc3\xa9"}'
    )

    assert (answer.status, answer.snippet, answer.error, answer.retry_after_seconds) == (200, "ok", None, None)
    assert answer.is_success
    assert not answer.is_gone
    assert answer.duration_ms >= 0
    [(line, headers, body)] = sink.requests
    assert line == "POST /in?a=1 HTTP/1.1"
    assert body == b'{"a": "\xc3\xa9"}'
    assert headers.pop("user-agent").startswith("Comanda-Webhooks/")
    assert headers == {
        "host": f"127.0.0.1:{sink.port}",
        "content-type": "application/json",
        "content-length": "11",
        "accept": "*/*",
        "webhook-id": "msg_1",
        "x-webhook-event": "ping",
    }


async def test_deliveries_to_one_receiver_share_a_connection(sink: Sink, receiver: HttpReceiver) -> None:
    for _ in range(3):
        assert (await receiver.post(sink.url, {}, b"{}")).is_success

    assert len(sink.requests) == 3
    assert sink.connections == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirect_is_a_failure_and_not_followed(sink: Sink, receiver: HttpReceiver, status: int) -> None:
    sink.reply = f"HTTP/1.1 {status} Elsewhere\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n".encode()

    answer = await receiver.post(sink.url, {}, b"{}")

    assert answer.status == status
    assert not answer.is_success
    assert [line for line, *_ in sink.requests] == ["POST /in HTTP/1.1"]


@pytest.mark.parametrize(
    ("status", "retry_after", "expected"),
    [
        (429, "120", 120),
        (503, "120", 120),
        (503, "86400", 3600),
        (503, "soon", None),
        (503, None, None),
        (500, "120", None),
        (200, "120", None),
    ],
)
async def test_retry_after_counts_on_429_and_503(
    sink: Sink, receiver: HttpReceiver, status: int, retry_after: str | None, expected: int | None
) -> None:
    header = f"Retry-After: {retry_after}\r\n" if retry_after else ""
    sink.reply = f"HTTP/1.1 {status} So\r\n{header}Content-Length: 0\r\n\r\n".encode()

    answer = await receiver.post(sink.url, {}, b"{}")

    assert answer.status == status
    assert answer.is_success is (status == 200)
    assert answer.retry_after_seconds == expected


async def test_status_410_is_gone(sink: Sink, receiver: HttpReceiver) -> None:
    sink.reply = b"HTTP/1.1 410 Gone\r\nContent-Length: 3\r\n\r\nbye"

    answer = await receiver.post(sink.url, {}, b"{}")

    assert answer.is_gone
    assert not answer.is_success
    assert answer.snippet == "bye"


async def test_endless_body_is_read_up_to_4_kb(sink: Sink, receiver: HttpReceiver) -> None:
    async def endless(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 1000)
            await writer.drain()

    sink.reply = endless
    answer = await receiver.post(sink.url, {}, b"{}")
    sink.reply = OK
    following = await receiver.post(sink.url, {}, b"{}")

    assert answer.is_success
    assert answer.snippet == "x" * 1024
    assert following.snippet == "ok"
    assert sink.connections == 2


async def test_compressed_body_is_not_decompressed(sink: Sink, receiver: HttpReceiver) -> None:
    packed = b"\x1f\x8b\x08\x00 not unpacked"
    sink.reply = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b" % (len(packed), packed)

    answer = await receiver.post(sink.url, {}, b"{}")

    assert answer.is_success
    assert answer.snippet.endswith("not unpacked")


async def test_snippet_is_storable_and_has_no_secret(sink: Sink, receiver: HttpReceiver) -> None:
    token = "own_" + "a1B2" * 11
    text = (
        f'{{"secret": "whsec_abc+/d=", "auth": "Bearer {token}", "again": "{token}"}}'.encode()
        + b"\0\xff"
        + b"\xc3\xa9" * 600
    )
    sink.reply = b"HTTP/1.1 400 Bad\r\nContent-Length: %d\r\n\r\n%b" % (len(text), text)

    answer = await receiver.post(sink.url, {}, b"{}")

    assert answer.snippet.startswith('{"secret": "whsec_***", "auth": "Bearer ***", "again": "own_***"}\ufffd\ufffdéé')
    assert 1022 < len(answer.snippet.encode()) <= 1024
    assert "\0" not in answer.snippet


async def silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(5)


async def dripping_headers(writer: asyncio.StreamWriter) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 500:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("reply", [silent, dripping_headers])
async def test_unfinished_headers_time_out(sink: Sink, hurried_receiver: HttpReceiver, reply: bytes | Reply) -> None:
    sink.reply = reply

    answer = await hurried_receiver.post(sink.url, {}, b"{}")

    assert answer.status is None
    assert answer.error == "No complete response within 1.5 seconds."
    assert answer.duration_ms >= 1500


async def test_slow_body_fails_despite_status_200(sink: Sink, hurried_receiver: HttpReceiver) -> None:
    async def dripping(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(100):
            writer.write(b"x")
            await asyncio.sleep(0.05)

    sink.reply = dripping
    answer = await hurried_receiver.post(sink.url, {}, b"{}")

    assert answer.status == 200
    assert not answer.is_success
    assert answer.error == "No complete response within 1.5 seconds."
    assert answer.duration_ms >= 1500


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (b"", "The receiver closed the connection before it responded."),
        (b"SSH-2.0-OpenSSH_9.2\r\n", r"The receiver's response is not valid HTTP \(.*\)."),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "The receiver's response was incomplete."),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", r"The receiver's response is not valid HTTP \(.*\)."),
    ],
)
async def test_broken_response_is_a_failure_with_reason(
    sink: Sink, receiver: HttpReceiver, reply: bytes | Reply, error: str
) -> None:
    sink.reply, sink.closes = reply, True

    answer = await receiver.post(sink.url, {}, b"{}")

    assert not answer.is_success
    assert re.fullmatch(error, answer.error or "")


async def test_refused_connection_is_a_failure(sink: Sink, receiver: HttpReceiver) -> None:
    async with serving(Sink()) as gone:
        url = gone.url

    answer = await receiver.post(url, {}, b"{}")

    assert answer == ReceiverResponse(None, "", "The connection failed: Connection refused.", None, answer.duration_ms)


async def test_cancelling_the_sender_is_no_receiver_failure(sink: Sink, receiver: HttpReceiver) -> None:
    arrived = asyncio.Event()

    async def never(writer: asyncio.StreamWriter) -> None:
        arrived.set()
        await silent(writer)

    sink.reply = never
    posting = asyncio.create_task(receiver.post(sink.url, {}, b"{}"))
    await asyncio.wait_for(arrived.wait(), MAX_WAIT_SECONDS)

    posting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await posting


async def test_proxies_of_environment_are_ignored(
    sink: Sink, receiver: HttpReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(Sink()) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)

        assert (await receiver.post(sink.url, {}, b"{}")).is_success
        assert proxy.connections == 0


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        [PUBLIC_ADDRESS, "127.0.0.1"],
        ["127.0.0.1", PUBLIC_ADDRESS],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1", "2606:4700::1111"],
        ["169.254.169.254"],
        ["fe80::1%eth0"],
    ],
)
async def test_name_with_any_private_address_is_refused(sink: Sink, addresses: list[str]) -> None:
    url = f"https://hooks.example.com:{free_port(sink)}/in"
    async with resolving(addresses) as receiver:
        with pytest.raises(ForbiddenTarget, match=r"hooks\.example\.com leads to an address that is not public"):
            await receiver.validate_url(url)
        answer = await receiver.post(url, {}, b"{}")

    assert answer.error == "hooks.example.com leads to an address that is not public."
    assert answer.status is None
    assert sink.connections == 0


def free_port(sink: Sink) -> int:
    """Return the sink's port, unless it is a forbidden one."""
    if not sink.port >= 1024 or sink.port in {33060, 50000, 50070, 61613, 61616}:
        pytest.skip("the system gave a port that is closed to webhooks")
    return sink.port


async def test_name_rebound_to_loopback_is_not_called(sink: Sink) -> None:
    url = f"https://hooks.example.com:{free_port(sink)}/in"
    async with resolving([PUBLIC_ADDRESS], ["127.0.0.1"]) as receiver:
        assert await receiver.validate_url(url) == url
        answer = await receiver.post(url, {}, b"{}")

    assert answer.error == "hooks.example.com leads to an address that is not public."
    assert sink.connections == 0


async def test_delivery_connects_to_the_checked_address(sink: Sink) -> None:
    names = Names([["127.0.0.1"], ["10.0.0.1"]])
    async with HttpReceiver(allowed=LOOPBACK, lookup=names) as receiver:
        answer = await receiver.post(f"http://hooks.example.com:{sink.port}/in", {}, b"{}")

    assert answer.is_success
    assert names.asked == ["hooks.example.com"]
    assert sink.requests[0][1]["host"] == f"hooks.example.com:{sink.port}"


async def test_every_new_connection_is_checked_again(sink: Sink) -> None:
    sink.reply, sink.closes = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", True
    names = Names([["127.0.0.1"], ["10.0.0.1"]])
    url = f"http://hooks.example.com:{sink.port}/in"
    async with HttpReceiver(allowed=LOOPBACK, lookup=names) as receiver:
        first = await receiver.post(url, {}, b"{}")
        second = await receiver.post(url, {}, b"{}")

    assert first.is_success
    assert second.error == "hooks.example.com leads to an address that is not public."
    assert names.asked == ["hooks.example.com"] * 2


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "https://hooks.example.com:22/", "http://db:8080/"])
async def test_allow_list_relaxes_only_its_networks(url: str) -> None:
    async with resolving([PUBLIC_ADDRESS], allowed=LOOPBACK) as receiver:
        with pytest.raises(ForbiddenTarget):
            await receiver.validate_url(url)
        answer = await receiver.post(url, {}, b"{}")

    assert answer.status is None
    assert "not public" in (answer.error or "")


async def test_loopback_is_refused_without_allow_list(sink: Sink) -> None:
    async with HttpReceiver() as receiver:
        for url in (sink.url, f"https://127.0.0.1:{sink.port}/", f"http://localhost:{sink.port}/"):
            with pytest.raises(ForbiddenTarget):
                await receiver.validate_url(url)
            assert not (await receiver.post(url, {}, b"{}")).is_success

    assert sink.connections == 0


async def test_system_resolves_names(sink: Sink) -> None:
    async with HttpReceiver(allowed=AllowedTargets.parse(["127.0.0.0/8", "::1/128"])) as receiver:
        url = f"http://localhost:{sink.port}/in"
        assert await receiver.validate_url(url) == url
        assert (await receiver.post(url, {}, b"{}")).is_success


async def test_unresolvable_name_is_saved_but_fails_at_delivery() -> None:
    async with resolving([]) as receiver:
        assert await receiver.validate_url("https://Hooks.example.com./in#top") == "https://hooks.example.com/in"
        answer = await receiver.post("https://hooks.example.com/in", {}, b"{}")

    assert answer.error == "The host name does not resolve."


async def test_silent_name_server_times_out() -> None:
    async def lookup(host: str) -> Sequence[str]:
        await asyncio.sleep(5)
        return [PUBLIC_ADDRESS]

    async with HttpReceiver(lookup=lookup, timeout_seconds=0.2) as receiver:
        answer = await receiver.post("https://hooks.example.com/in", {}, b"{}")

    assert answer.error == "No complete response within 0.2 seconds."


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "hooks.pem"
    path.write_text(CERTIFICATE)
    return path


@pytest.fixture
async def tls_sink(certificate: Path) -> AsyncIterator[Sink]:
    sink = Sink()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _, name, __: sink.server_names.append(name)
    async with serving(sink, context) as sink:
        yield sink


async def test_tls_verifies_host_name_after_lookup(tls_sink: Sink, certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=certificate)
    url = f"https://hooks.example.com:{tls_sink.port}/in"
    async with resolving(["127.0.0.1"], allowed=LOOPBACK, ssl_context=trusting) as receiver:
        answer = await receiver.post(url, {}, b"{}")

    assert answer.is_success
    assert tls_sink.server_names == ["hooks.example.com"]
    assert tls_sink.requests[0][1]["host"] == f"hooks.example.com:{tls_sink.port}"


async def test_certificate_of_other_name_is_refused(tls_sink: Sink, certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=certificate)
    url = f"https://other.example.com:{tls_sink.port}/in"
    async with resolving(["127.0.0.1"], allowed=LOOPBACK, ssl_context=trusting) as receiver:
        answer = await receiver.post(url, {}, b"{}")

    assert answer.status is None
    assert (answer.error or "").startswith("The TLS certificate is not valid: Hostname mismatch")
    assert tls_sink.requests == []


async def test_unknown_certificate_authority_is_refused(tls_sink: Sink) -> None:
    url = f"https://hooks.example.com:{tls_sink.port}/in"
    async with resolving(["127.0.0.1"], allowed=LOOPBACK) as receiver:
        answer = await receiver.post(url, {}, b"{}")

    assert answer.status is None
    assert (answer.error or "").startswith("The TLS certificate is not valid: self")
    assert tls_sink.requests == []


async def test_receiver_without_tls_is_reported(sink: Sink) -> None:
    async with resolving(["127.0.0.1"], allowed=LOOPBACK) as receiver:
        answer = await receiver.post(f"https://hooks.example.com:{sink.port}/in", {}, b"{}")

    assert not answer.is_success
    assert sink.requests == []


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 30 ", 30),
        ("3600", 3600),
        ("3601", 3600),
        ("9" * 5000, 3600),
        ("Sun, 01 Mar 2026 12:02:00 GMT", 120),
        ("Sun, 01 Mar 2026 12:02:00 -0000", 120),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("Mon, 01 Mar 2027 12:00:00 GMT", 3600),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("tomorrow", None),
        ("Sun, 99 Mar 2026 12:02:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_date_up_to_an_hour(value: str, seconds: int | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==", "whsec_***"),
        ("authorization: bearer abc.def-ghi", "authorization: bearer ***"),
        ("Authorization: Basic dXNlcjpwdw==", "Authorization: Basic ***"),
        ('{"token":"stf_0123456789abcdefABCDEF"}', '{"token":"stf_***"}'),
        ("nothing to hide, own_goal", "nothing to hide, own_goal"),
    ],
)
def test_secrets_are_masked(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked
