"""The header Host of requests for pages."""

import pytest
from comanda.http.host_header import is_host_valid


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
@pytest.mark.parametrize("path", ["/", "/docs/", "/s/nowhere"])
async def test_host_that_is_none_is_refused(client, host, path):
    response = await client.get(path, headers={"Host": host})

    assert response.status_code == 400
    assert (await response.get_json())["code"] == "bad_request"
