"""Looks for items by words, and puts the best first. Pure."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from comanda.text_search import split_words

from comanda_mcp_storefront.schemas import Diet

Item = Mapping[str, Any]

# How much a word counts: as a whole word of the name, as the beginning of one, inside one, elsewhere.
WHOLE, BEGINNING, INSIDE, CATEGORY, DESCRIPTION = 8, 5, 3, 3, 1
# How much it counts that the name is what was asked for, or begins with it.
SAME_NAME, SAME_BEGINNING = 20, 10


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Return a text without case and accents, its words single-spaced."""
    return " ".join(split_words(text, max_words=None))


def ranked(items: Sequence[Item], query: str) -> tuple[list[Item], bool]:
    """Return the items that have every word of the query, the best first, and True.

    If none has them all, return those that have some, and False. A query without words fits everything.
    """
    phrase = fold(query)
    wanted = split_words(query)
    if not wanted:
        return list(items), True
    scored = [(_scores(item, wanted), item) for item in items]
    complete = [(scores, item) for scores, item in scored if all(scores)]
    shown = complete or [(scores, item) for scores, item in scored if any(scores)]
    # Sorting keeps the menu's order among equals.
    shown.sort(key=lambda found: -(sum(found[0]) + _bonus(found[1], phrase)))
    return [item for _, item in shown], bool(complete) or not shown


def fits(item: Item, dietary: Sequence[Diet]) -> bool:
    """Tell whether an item's record says that it is fit for all of these diets."""
    return all(item.get(f"is_{diet}") is True for diet in dietary)


def lowest_price(item: Item) -> float:
    """Return what the item costs in its cheapest variation."""
    return float(min([item["price"], *(variation["price"] for variation in item["variations"])]))


def _scores(item: Item, wanted: Sequence[str]) -> list[int]:
    """Tell for each word how well the item answers to it; 0 is not at all."""
    name, category, description = (fold(item[field] or "") for field in ("name", "category", "description"))
    return [_score(word, name, category, description) for word in wanted]


def _score(word: str, name: str, category: str, description: str) -> int:
    if f" {word} " in f" {name} ":
        return WHOLE
    if f" {word}" in f" {name}":
        return BEGINNING
    if word in name:
        return INSIDE
    if f" {word}" in f" {category}":
        return CATEGORY
    return DESCRIPTION if f" {word}" in f" {description}" else 0


def _bonus(item: Item, phrase: str) -> int:
    name = fold(item["name"])
    if name == phrase:
        return SAME_NAME
    return SAME_BEGINNING if name.startswith(f"{phrase} ") else 0
