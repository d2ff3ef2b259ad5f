"""Search of chapters by words: BM25 over stems, indexed at the first search and kept as long as the registry."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Final

from comanda.basics import split_words
from comanda.contracts import Registry

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
        self._scores = _calculate_scores([_count_stems(chunk) for chunk in self._chunks])

    def search(self, query: str, limit: int) -> list[SearchHit]:
        """Return the best chunks, best first; none if no word is found."""
        stems = list(dict.fromkeys(list_stems(query)))
        stems = [stem for stem in stems if stem not in STOP_STEMS] or stems
        scores: defaultdict[int, float] = defaultdict(float)
        for stem in stems:
            for position, score in self._scores.get(stem, ()):
                scores[position] += score
        chunks = self._chunks
        hits = [SearchHit(chunks[each], score * chunks[each].chapter.weight) for each, score in scores.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:limit]

    def find_chapter(self, id: str) -> IndexedChapter | None:
        """Return the chapter for a name, the id of a chunk, or a page's path."""
        name = id.removeprefix("/").removeprefix("docs/guide/")
        chunk = self._by_id.get(name)
        return chunk.chapter if chunk else self.chapters.get(name)


def _calculate_scores(counts: Sequence[Counter[str]]) -> dict[str, list[tuple[int, float]]]:
    """Return for each stem the positions of the texts that contain it, with its BM25 score in each.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), in the variant of Lucene 8, whose
    scores are smaller by the constant factor of saturation.
    """
    lengths = [count.total() for count in counts]
    mean_length = sum(lengths) / len(lengths) if any(lengths) else 1.0
    places: defaultdict[str, list[int]] = defaultdict(list)
    for position, count in enumerate(counts):
        for stem in count:
            places[stem].append(position)
    # How little of a text's repetitions counts: the more, the longer it is.
    damping = [TERM_SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * length / mean_length) for length in lengths]
    scores: dict[str, list[tuple[int, float]]] = {}
    for stem, positions in places.items():
        rarity = log(1 + (len(counts) - len(positions) + 0.5) / (len(positions) + 0.5))
        scores[stem] = [
            (each, rarity * counts[each][stem] / (counts[each][stem] + damping[each])) for each in positions
        ]
    return scores


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
