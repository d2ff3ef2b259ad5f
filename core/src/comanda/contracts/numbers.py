"""Whole numbers in texts that come from outside, such as ids in paths and forms."""

from collections.abc import Iterable
from typing import Final

# The largest that a column of the database holds.
MAX_ID: Final = 2**63 - 1
MAX_DIGITS: Final = 19


def parse_id(text: str | None) -> int | None:
    """Return the id, position or other whole number from 0 to ``MAX_ID`` that a text is; None for any other text.

    Only ASCII digits make a number: ``str.isdigit`` is also true of texts that ``int`` rejects, such as ``²``.
    """
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > MAX_DIGITS:
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def parse_ids(texts: Iterable[str]) -> list[int]:
    """Return the ids among texts."""
    return [number for text in texts if (number := parse_id(text)) is not None]
