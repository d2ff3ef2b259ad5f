"""Finds chunks by words: a small index of our own, made when it is first asked and kept as long as the registry."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from comanda.registry import Registry

from comanda_mcp_dev.services.chapters import ChapterChunk, IndexedChapter, list_chapters, split_chapter

# How often a word saturates, and how much a long text is held against it: the usual values of BM25.
TERM_SATURATION: Final = 1.2
LENGTH_PENALTY: Final = 0.75
# A word of a heading counts as often.
HEADING_WEIGHT: Final = 4
TITLE_WEIGHT: Final = 3
SUMMARY_WEIGHT: Final = 1
WORD: Final = re.compile(r"[^\W_]+")
# Words of questions, which say nothing about what is asked.
STOP_WORDS: Final = (
    "a an and any are as at be by can do does for from get how i if in into is it its me my of on or our so that the "
    "their there this to us use using was what when where which who why will with you your"
)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk and how well it answers, in no unit; only comparisons within one search mean something."""

    chunk: ChapterChunk
    score: float


def list_stems(text: str) -> Iterator[str]:
    """Yield words as they are compared: without accents, letter case and the endings of English."""
    folded = "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))
    for word in WORD.findall(folded.casefold()):
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
    """Chunks by their words."""

    def __init__(self, found: Sequence[IndexedChapter]) -> None:
        self.chapters = {chapter.name: chapter for chapter in found}
        self._chunks = [chunk for chapter in found for chunk in split_chapter(chapter)]
        self._by_id = {chunk.id: chunk for chunk in self._chunks}
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for place, chunk in enumerate(self._chunks):
            counts = _count_stems(chunk)
            self._lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self._places[word].append((place, count))
        self._average = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0

    def search(self, query: str, limit: int) -> list[SearchHit]:
        """Return the best chunks, the best first; none where no word is found."""
        wanted = list(dict.fromkeys(list_stems(query)))
        telling = [word for word in wanted if word not in STOP_STEMS] or wanted
        scores: defaultdict[int, float] = defaultdict(float)
        for word in telling:
            found = self._places.get(word, [])
            rarity = math.log(1 + (len(self._chunks) - len(found) + 0.5) / (len(found) + 0.5))
            for place, count in found:
                drag = TERM_SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * self._lengths[place] / self._average)
                scores[place] += rarity * count * (TERM_SATURATION + 1) / (count + drag)
        hits = [
            SearchHit(self._chunks[place], score * self._chunks[place].chapter.weight)
            for place, score in scores.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:limit]

    def find_chapter(self, id: str) -> IndexedChapter | None:
        """Return the chapter that a name, the id of a chunk, or a page's path stands for."""
        name = id.removeprefix("/").removeprefix("docs/guide/")
        chunk = self._by_id.get(name)
        return chunk.chapter if chunk else self.chapters.get(name)


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
    """Return the index of what is installed."""
    return SearchIndex(list_chapters(registry))
