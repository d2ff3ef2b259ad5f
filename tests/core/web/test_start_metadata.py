"""Metadata of the start page."""

import json
import re

from comanda.platform.db import sql

UPDATE_TITLE = "UPDATE core_store SET title = $3 WHERE id = $1 AND owner_id = $2"


async def read(client, path):
    text = await (await client.get(path)).get_data(as_text=True)
    document = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    return text, json.loads(document[1])["@graph"]


async def test_the_list_of_stores_is_described_for_search_engines(store, client):
    await sql.execute(UPDATE_TITLE, store.id, store.owner.id, f"</script><b>Yonder{store.id} & Sons")

    text, (site, listed) = await read(client, f"/?q=yonder{store.id}")

    assert (site["@type"], site["url"]) == ("WebSite", "http://comanda.test/")
    assert site["potentialAction"]["target"]["urlTemplate"] == "http://comanda.test/?q={search_term_string}"
    (element,) = listed["itemListElement"]
    assert (element["position"], element["name"]) == (1, f"</script><b>Yonder{store.id} & Sons")
    assert element["url"].startswith("http://comanda.test/s/")
    assert "</script><b>" not in text
    assert '<meta name="robots" content="noindex, follow">' in text


async def test_each_page_of_the_list_is_its_own_address(client):
    first, _ = await read(client, "/")
    second, _ = await read(client, "/?page=2")

    assert '<link rel="canonical" href="http://comanda.test/">' in first
    assert '<meta property="og:url" content="http://comanda.test/">' in first
    assert '<meta property="og:locale" content="en_GB">' in first
    assert "noindex" not in first
    assert '<link rel="canonical" href="http://comanda.test/?page=2">' in second
