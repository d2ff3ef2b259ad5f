"""Search of chapters by words: BM25 over stems, indexed at the first search and kept as long as the registry."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from comanda.contracts.registry import Registry
from comanda.text_search import split_words

from comanda_mcp_dev.services.chapters import ChapterChunk, IndexedChapter, list_chapters, split_chapter

# The usual values of BM25: how soon repetitions of a word stop counting, and how much long texts are penalized.
TERM_SATURATION: Final = 1.2
LENGTH_PENALTY: Final = 0.75
# How often a word counts outside the text.
HEADING_WEIGHT: Final = 4
TITLE_WEIGHT: Final = 3
SUMMARY_WEIGHT: Final = 1
# Words of questions that say nothing about their subject.
STOP_WORDS: Final = (
    "a an and any are as at be by can do does for from get how i if in into is it its me my of on or our so that the "
    "their there this to us use using was what when where which who why will with you your"
)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk and its score, which only compares within one search."""

    chunk: ChapterChunk
    score: float


def list_stems(text: str) -> Iterator[str]:
    """Yield the stems of words, without accents, letter case and English endings."""
    for word in split_words(text.casefold(), None):
        yield _stem(word)


def _stem(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


class SearchIndex:
    """An index of chapters and their chunks."""

    def __init__(self, chapters: Sequence[IndexedChapter]) -> None:
        self.chapters = {chapter.name: chapter for chapter in chapters}
        self._chunks = [chunk for chapter in chapters for chunk in split_chapter(chapter)]
        self._by_id = {chunk.id: chunk for chunk in self._chunks}
        counts = [_count_stems(chunk) for chunk in self._chunks]
        self._known_stems = frozenset(stem for each in counts for stem in each)
        self._ranking = _create_ranking([list(each.elements()) for each in counts]) if self._known_stems else None

    def search(self, query: str, limit: int) -> list[SearchHit]:
        """Return the best chunks, best first; none if no word is found."""
        stems = list(dict.fromkeys(list_stems(query)))
        stems = [stem for stem in stems if stem not in STOP_STEMS] or stems
        known = [stem for stem in stems if stem in self._known_stems]
        if self._ranking is None or not known:
            return []
        scores = self._ranking.get_scores(known)
        hits = [
            SearchHit(chunk, float(score) * chunk.chapter.weight)
            for chunk, score in zip(self._chunks, scores, strict=True)
            if score > 0
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:limit]

    def find_chapter(self, id: str) -> IndexedChapter | None:
        """Return the chapter for a name, the id of a chunk, or a page's path."""
        name = id.removeprefix("/").removeprefix("docs/guide/")
        chunk = self._by_id.get(name)
        return chunk.chapter if chunk else self.chapters.get(name)


def _create_ranking(corpus: list[list[str]]) -> Any:
    # Brings numpy, which takes long to import and is only needed once somebody searches.
    bm25s: Any = import_module("bm25s")
    # The library sets its own logger to DEBUG.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    ranking = bm25s.BM25(method="lucene", k1=TERM_SATURATION, b=LENGTH_PENALTY, dtype="float64")
    ranking.index(corpus, show_progress=False)
    return ranking


def _count_stems(chunk: ChapterChunk) -> Counter[str]:
    counts = Counter(list_stems(chunk.text))
    chapter = chunk.chapter
    for text, weight in (
        (chunk.heading, HEADING_WEIGHT),
        (chapter.title, TITLE_WEIGHT),
        (chapter.summary, SUMMARY_WEIGHT),
    ):
        for word in list_stems(text):
            counts[word] += weight
    return counts


STOP_STEMS: Final = frozenset(list_stems(STOP_WORDS))


@lru_cache(maxsize=2)
def get_index(registry: Registry) -> SearchIndex:
    """Return the index of the installed chapters."""
    return SearchIndex(list_chapters(registry))
