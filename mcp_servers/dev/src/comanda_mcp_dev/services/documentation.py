"""Documentation of this installation: overview, search and whole chapters."""

from comanda.basics import NotFound
from comanda.platform import runtime

from comanda_mcp_dev.schemas.documentation import ChunkOut, FullDocument, Overview, SearchResult
from comanda_mcp_dev.services.overview import describe_installation, to_summary
from comanda_mcp_dev.services.search_index import get_index


def get_overview(topic: str | None) -> Overview:
    """Return an overview of this installation."""
    return describe_installation(runtime.registry(), runtime.settings().site_url, topic)


def search_chapters(query: str, limit: int) -> SearchResult:
    """Search the installed chapters."""
    hits = get_index(runtime.registry()).search(query, limit)
    return SearchResult(
        chunks=[
            ChunkOut(
                id=hit.chunk.id,
                chapter=hit.chunk.chapter.name,
                title=hit.chunk.chapter.title,
                heading=hit.chunk.heading,
                text=hit.chunk.text,
                score=round(hit.score, 3),
            )
            for hit in hits
        ]
    )


def get_chapter(id: str) -> FullDocument:
    """Return a whole chapter. Raises ``NotFound`` for a chapter that is not installed."""
    found = get_index(runtime.registry()).find_chapter(id)
    if found is None:
        raise NotFound("There is no such chapter. learn_platform lists the chapters, search_docs searches them.")
    return FullDocument(**to_summary(found, runtime.settings().site_url), text=found.text)
