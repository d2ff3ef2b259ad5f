"""Finds chunks by words: a small index of our own, made when it is first asked and kept as long as the registry."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from comanda.contracts.registry import Registry

from comanda_mcp_dev.documents import Chunk, Document, chunks, documents

# How often a word saturates, and how much a long text is held against it: the usual values of BM25.
SATURATION: Final = 1.2
LENGTH: Final = 0.75
# A word of a heading counts as often.
IN_HEADING: Final = 4
IN_TITLE: Final = 3
IN_SUMMARY: Final = 1
WORD: Final = re.compile(r"[^\W_]+")
# Words of questions, which say nothing about what is asked.
COMMON: Final = (
    "a an and any are as at be by can do does for from get how i if in into is it its me my of on or our so that the "
    "their there this to us use using was what when where which who why will with you your"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk and how well it answers, in no unit; only comparisons within one search mean something."""

    chunk: Chunk
    score: float


def words(text: str) -> Iterator[str]:
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


class Index:
    """Chunks by their words."""

    def __init__(self, found: Sequence[Document]) -> None:
        self.documents = {document.name: document for document in found}
        self._chunks = [chunk for document in found for chunk in chunks(document)]
        self._by_id = {chunk.id: chunk for chunk in self._chunks}
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for place, chunk in enumerate(self._chunks):
            counts = _counts(chunk)
            self._lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self._places[word].append((place, count))
        self._average = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0

    def search(self, query: str, limit: int) -> list[Hit]:
        """Return the best chunks, the best first; none where no word is found."""
        wanted = list(dict.fromkeys(words(query)))
        telling = [word for word in wanted if word not in _COMMON_STEMS] or wanted
        scores: defaultdict[int, float] = defaultdict(float)
        for word in telling:
            found = self._places.get(word, [])
            rarity = math.log(1 + (len(self._chunks) - len(found) + 0.5) / (len(found) + 0.5))
            for place, count in found:
                drag = SATURATION * (1 - LENGTH + LENGTH * self._lengths[place] / self._average)
                scores[place] += rarity * count * (SATURATION + 1) / (count + drag)
        hits = [
            Hit(self._chunks[place], score * self._chunks[place].document.weight) for place, score in scores.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:limit]

    def document_of(self, id: str) -> Document | None:
        """Return the chapter that a name, the id of a chunk, or a page's path stands for."""
        name = id.removeprefix("/").removeprefix("docs/guide/")
        chunk = self._by_id.get(name)
        return chunk.document if chunk else self.documents.get(name)


def _counts(chunk: Chunk) -> Counter[str]:
    counts = Counter(words(chunk.text))
    document = chunk.document
    for text, weight in ((chunk.heading, IN_HEADING), (document.title, IN_TITLE), (document.summary, IN_SUMMARY)):
        for word in words(text):
            counts[word] += weight
    return counts


_COMMON_STEMS: Final = frozenset(words(COMMON))


@lru_cache(maxsize=2)
def index_of(registry: Registry) -> Index:
    """Return the index of what is installed."""
    return Index(documents(registry))
