"""Chapters by name and by chunk."""

import dataclasses

from comanda.platform import runtime as runtime_module
from comanda.platform.runtime import Runtime


async def test_chunk_id_returns_its_chapter(agent, runtime):
    chapter = runtime.registry.docs["orders"]

    for id in ("orders", "orders#changing-the-status", "docs/guide/orders", "/docs/guide/orders"):
        found = await agent.call("fetch_full_doc", {"id": id})
        assert (found["name"], found["title"], found["text"]) == ("orders", "Orders", chapter.text)
    assert found["url"] == "http://comanda.test/docs/guide/orders"


UNKNOWN_CHAPTERS = [
    "no-such",
    "orders#no-such",
    "../orders",
    "/etc/passwd",
    "docs/orders.md",
    "../../pyproject.toml",
    "orders\u0000",
    ".",
]


async def test_unknown_chapter_is_not_found(agent, subtests):
    for id in UNKNOWN_CHAPTERS:
        with subtests.test(id=id):
            refused = await agent.refused("fetch_full_doc", {"id": id})

            assert refused["code"] == "not_found"
            assert "text" not in refused


async def test_chapter_of_missing_plugin_is_not_found(agent, runtime):
    without = {name: chapter for name, chapter in runtime.registry.docs.items() if name != "car-parts"}
    runtime_module.use(Runtime(runtime.settings, dataclasses.replace(runtime.registry, docs=without)))
    try:
        found = await agent.call("search_docs", {"query": "which vehicles does a part fit", "limit": 20})
        refused = await agent.refused("fetch_full_doc", {"id": "car-parts"})
    finally:
        runtime_module.use(runtime)

    assert "car-parts" not in {chunk["chapter"] for chunk in found["chunks"]}
    assert refused["code"] == "not_found"
