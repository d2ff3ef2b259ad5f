"""Search of menu items by words, ranked in memory."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from comanda.basics import split_words

from comanda_mcp_storefront.schemas import Diet

ItemRecord = Mapping[str, Any]

# The score of a word: a whole word of the name, the beginning of one, inside one, or elsewhere.
WHOLE_WORD, WORD_BEGINNING, INSIDE_WORD, IN_CATEGORY, IN_DESCRIPTION = 8, 5, 3, 3, 1
# The additional score if the name equals the query or begins with it.
SAME_NAME, SAME_BEGINNING = 20, 10


@lru_cache(maxsize=20_000)
def normalize(text: str) -> str:
    """Return a text without case and accents, its words single-spaced."""
    return " ".join(split_words(text, max_words=None))


def rank_items(items: Sequence[ItemRecord], query: str) -> tuple[list[ItemRecord], bool]:
    """Return the items that match every word of the query, best first, and True.

    If none matches all words, return those that match some, and False. A query without words matches everything.
    """
    phrase = normalize(query)
    wanted = split_words(query)
    if not wanted:
        return list(items), True
    scored = [(_score_words(item, wanted), item) for item in items]
    complete = [(scores, item) for scores, item in scored if all(scores)]
    shown = complete or [(scores, item) for scores, item in scored if any(scores)]
    # The sort is stable: equal scores keep the menu's order.
    shown.sort(key=lambda found: -(sum(found[0]) + _score_phrase(found[1], phrase)))
    return [item for _, item in shown], bool(complete) or not shown


def matches_diets(item: ItemRecord, dietary: Sequence[Diet]) -> bool:
    """Return whether an item is suitable for all of these diets."""
    return all(item.get(f"is_{diet}") is True for diet in dietary)


def get_lowest_price(item: ItemRecord) -> float:
    """Return the price of the item's cheapest variation."""
    return float(min([item["price"], *(variation["price"] for variation in item["variations"])]))


def _score_words(item: ItemRecord, wanted: Sequence[str]) -> list[int]:
    """Return the item's score for each word; 0 means no match."""
    name, category, description = (normalize(item[field] or "") for field in ("name", "category", "description"))
    return [_score_word(word, name, category, description) for word in wanted]


def _score_word(word: str, name: str, category: str, description: str) -> int:
    if f" {word} " in f" {name} ":
        return WHOLE_WORD
    if f" {word}" in f" {name}":
        return WORD_BEGINNING
    if word in name:
        return INSIDE_WORD
    if f" {word}" in f" {category}":
        return IN_CATEGORY
    return IN_DESCRIPTION if f" {word}" in f" {description}" else 0


def _score_phrase(item: ItemRecord, phrase: str) -> int:
    name = normalize(item["name"])
    if name == phrase:
        return SAME_NAME
    return SAME_BEGINNING if name.startswith(f"{phrase} ") else 0
