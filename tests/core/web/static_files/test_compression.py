"""Static files of pages, compressed for clients that accept it."""

import gzip

PATH = "/own/comanda.css"


async def test_file_is_compressed_for_clients_that_accept_it(client):
    plain = await client.get(PATH)
    packed = await client.get(PATH, headers={"Accept-Encoding": "gzip, br"})
    again = await client.get(PATH, headers={"Accept-Encoding": "gzip"})

    body = await packed.get_data()
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert (packed.headers["Vary"], plain.headers["Vary"]) == ("Accept-Encoding", "Accept-Encoding")
    assert gzip.decompress(body) == await plain.get_data()
    assert int(packed.headers["Content-Length"]) == len(body) == len(await again.get_data())


async def test_compressed_file_is_revalidated(client):
    packed = await client.get(PATH, headers={"Accept-Encoding": "gzip"})

    headers = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    response = await client.get(PATH, headers=headers)

    assert packed.headers["ETag"].startswith("W/")
    assert (response.status_code, await response.get_data()) == (304, b"")


async def test_small_and_missing_files_are_left_alone(client):
    small = await client.get("/own/mark.svg", headers={"Accept-Encoding": "gzip"})
    missing = await client.get("/own/nothing.css", headers={"Accept-Encoding": "gzip"})

    assert (small.status_code, "Content-Encoding" in small.headers) == (200, False)
    assert missing.status_code == 404


async def test_part_of_a_file_is_not_compressed(client):
    response = await client.get(PATH, headers={"Accept-Encoding": "gzip", "Range": "bytes=0-9"})

    assert (response.status_code, len(await response.get_data())) == (206, 10)
    assert "Content-Encoding" not in response.headers
