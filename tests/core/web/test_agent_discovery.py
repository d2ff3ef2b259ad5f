"""What agents look for before they call anything."""

import re

from comanda.platform import runtime


async def read(client, path):
    response = await client.get(path)
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    return response


async def test_all_that_the_overview_links_to_is_there(client):
    text = await (await read(client, "/llms.txt")).get_data(as_text=True)

    links = re.findall(r"\]\(http://comanda\.test(/[^)]*)\)", text)
    pages = [path for path in links if not path.startswith("/mcp")]
    assert {path: (await client.get(path)).status_code for path in pages} == dict.fromkeys(pages, 200)
    assert set(links) - set(pages) == {each.path for each in runtime.registry().mcp_servers.values()}
    assert text.startswith("# Comanda\n\n> ")


async def test_a_chapter_is_read_as_it_is_written(client):
    response = await read(client, "/docs/guide/start.md")

    text = await response.get_data(as_text=True)
    assert response.mimetype == "text/markdown"
    assert text.startswith("# First steps\n")
    assert "http://comanda.test/" in text
    assert "{site_url}" not in text
    assert (await client.get("/docs/guide/nothing.md")).status_code == 404


async def test_every_mcp_server_is_in_the_catalog_with_the_card_at_its_address(client):
    response = await read(client, "/.well-known/ai-catalog.json")

    catalog = await response.get_json(force=True)
    cards = {entry["identifier"]: entry["data"] for entry in catalog["entries"]}
    assert response.mimetype == "application/ai-catalog+json"
    assert cards.keys() == {f"urn:air:comanda.test:mcp:{name}" for name in runtime.registry().mcp_servers}
    for card in cards.values():
        (remote,) = card["remotes"]
        path = remote["url"].removeprefix("http://comanda.test")
        assert await (await read(client, f"{path}/server-card")).get_json(force=True) == card
        assert re.fullmatch(r"test\.comanda/[a-z]+", card["name"])
        assert 1 <= len(card["description"]) <= 100
        answer = await client.post(path, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert (answer.status_code == 401) == ("headers" in remote)
    assert (await client.get("/mcp/nothing/server-card")).status_code == 404
