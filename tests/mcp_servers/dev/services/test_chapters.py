"""Chapters and their chunks."""

from comanda_mcp_dev.services.chapters import IndexedChapter, split_chapter


async def test_endpoints_chapter_lists_the_routes(agent):
    found = await agent.call("fetch_full_doc", {"id": "endpoints"})

    assert "- `GET /api/v1/menu/{restaurantId}` (no token): " in found["text"]
    assert "- `POST /api/v1/restaurants/{id}/orders` (owner token, scope `orders:write`): " in found["text"]


def test_chapter_is_split_at_headings_outside_code():
    text = "Before.\n\n## One\nA\n\n```\n## not a heading\n\nstill code\n```\n\n### Two\nB\n\n## One\nC\n"
    found = list(split_chapter(IndexedChapter("d", "D", "", text)))

    assert [(chunk.id, chunk.heading) for chunk in found] == [
        ("d#start", ""),
        ("d#one", "One"),
        ("d#two", "Two"),
        ("d#one-2", "One"),
    ]
    assert found[1].text == "A\n\n```\n## not a heading\n\nstill code\n```"


def test_long_section_is_split_between_paragraphs():
    text = "## Long\n" + "\n\n".join(f"{number} " + "word " * 100 for number in range(10))
    found = list(split_chapter(IndexedChapter("d", "D", "", text)))

    assert [chunk.id for chunk in found] == ["d#long", "d#long-2", "d#long-3", "d#long-4", "d#long-5"]
    assert all(len(chunk.text) < 2000 for chunk in found)
