"""The header Host of requests for pages."""

import orjson
import pytest
from comanda.platform.http.host_header import is_host_valid, normalize_target

PATHS = ["/", "/docs/", "/s/nowhere"]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "a-b.example.com.",
        "127.0.0.1",
        "[::1]:80",
        "under_score",
        "xn--bcher-kva.example",
    ],
)
def test_host_is_valid(host):
    assert is_host_valid([(b"accept", b"*/*"), (b"host", host.encode())])
    assert is_host_valid([])


@pytest.mark.parametrize(
    "host", ["a" * 64 + ".example", "a..b", "[::1", "x y", "x/y", "bücher.example", "a:b", "[x]", "a@b", "a\nb"]
)
@pytest.mark.parametrize("path", PATHS)
async def test_host_that_is_none_is_refused(app, host, path):
    # Test clients parse the header themselves, and fail at some of these values.
    await check_refused(app, path, [host])


@pytest.mark.parametrize("hosts", [["a.test", "b.test"], ["a.test", "a.test"], ["", "a.test"]])
@pytest.mark.parametrize("path", PATHS)
async def test_second_host_is_refused(app, hosts, path):
    await check_refused(app, path, hosts)


async def check_refused(app, path, hosts):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", host.encode()) for host in hosts]}
    await app(scope, None, send)

    assert sent[0]["status"] == 400
    assert orjson.loads(sent[1]["body"])["code"] == "bad_request"


@pytest.mark.parametrize("target", ["http://comanda.test/api/v1/nothing", "https://comanda.test/api/v1/nothing"])
async def test_target_that_is_a_whole_url_is_its_path(app, target):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": target, "raw_path": target.encode(), "query_string": b""}
    await app({**scope, "headers": [(b"host", b"other.test")], "client": ("127.0.0.1", 1)}, None, send)

    assert orjson.loads(sent[1]["body"])["code"] == "not_found"


def test_host_of_the_target_replaces_the_header():
    scope = {"path": "http://a.test:80/x/y", "raw_path": b"http://a.test:80/x/y", "headers": [(b"host", b"b.test")]}

    normalize_target(scope)

    assert scope == {"path": "/x/y", "raw_path": b"/x/y", "headers": [(b"host", b"a.test:80")]}
