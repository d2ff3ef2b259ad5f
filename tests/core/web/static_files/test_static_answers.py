"""Static files of the current version, sent from memory."""

import gzip
import re

import pytest


@pytest.fixture
async def path(client):
    text = await (await client.get("/")).get_data(as_text=True)
    return re.search(r"/own/v-[0-9a-f]{12}/comanda.css", text)[0]


@pytest.fixture
def requests_to_quart(app, monkeypatch):
    paths = []

    async def dispatch(context=None):
        paths.append(context.request.path)
        return await original(context)

    original = app.full_dispatch_request
    monkeypatch.setattr(app, "full_dispatch_request", dispatch)
    return paths


async def read(client, path, **headers):
    response = await client.get(path, headers=headers)
    return response.status_code, dict(response.headers), await response.get_data()


async def test_second_request_is_answered_from_memory_as_the_first(client, path, requests_to_quart):
    first = await read(client, path, **{"Accept-Encoding": "gzip, first"})
    again = await read(client, f"{path}?again", **{"Accept-Encoding": "gzip, first"})

    assert requests_to_quart == [path]
    assert first == again
    assert (first[0], first[1]["content-encoding"]) == (200, "gzip")
    assert first[1]["content-security-policy"].startswith("default-src 'self'")


async def test_each_encoding_has_its_own_answer(client, path):
    for _ in range(2):
        _, packed_headers, packed = await read(client, path, **{"Accept-Encoding": "gzip"})
        _, plain_headers, plain = await read(client, path)

        assert gzip.decompress(packed) == plain
        assert packed_headers["vary"] == plain_headers["vary"] == "Accept-Encoding"
        assert "content-encoding" not in plain_headers


@pytest.mark.parametrize(
    ("headers", "status"), [({"Range": "bytes=0-9"}, 206), ({"If-None-Match": "*"}, 304), ({"Host": "a b"}, 400)]
)
async def test_conditions_are_kept(client, path, headers, status):
    await read(client, path)

    assert (await read(client, path, **headers))[0] == status


async def test_files_of_another_version_and_missing_ones_are_not_kept(client, path, requests_to_quart):
    old = re.sub(r"v-\w+", "v-000000000000", path)
    missing = path.replace("comanda.css", "nothing.css")
    for each in (old, missing, path.replace(re.search(r"v-\w+/", path)[0], "")):
        requests_to_quart.clear()
        assert (await read(client, each))[0] == (await read(client, each))[0]
        assert requests_to_quart == [each, each]


async def test_only_get_is_answered_from_memory(client, path, requests_to_quart):
    await read(client, path)
    requests_to_quart.clear()

    assert ((await client.head(path)).status_code, requests_to_quart) == (200, [path])
