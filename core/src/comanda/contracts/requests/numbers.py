"""Numbers in texts that come from outside: ids in paths and forms, and amounts as people write them."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
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


# What separates thousands in some language and decimals in none: spaces, apostrophes and the Arabic separator.
GROUP_MARKS: Final = re.compile("[ \u00a0\u2009\u202f'\u2019\u066c]")
OTHER_SIGNS: Final = str.maketrans({"\u2212": "-", "\u066b": ";"})
# The last mark begins the decimals unless it also separates thousands.
GROUPED: Final = re.compile(r"(-?)(\d{1,3}(?:([ .,])\d{3}(?:\3\d{3})*))(?:(?!\3)[.,;](\d{1,9}))?", re.ASCII)
PLAIN: Final = re.compile(r"(-?)(\d{1,15})(?:[.,;](\d{1,9}))?", re.ASCII)
# What could be 1.2 and 1200.
AMBIGUOUS: Final = re.compile(r"-?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
THOUSAND: Final = 1000


def normalize_digits(text: str) -> str:
    """Return a text with the digits of all scripts as ASCII digits."""
    if text.isascii():
        return text
    return "".join([char if (digit := unicodedata.decimal(char, None)) is None else str(digit) for char in text])


def is_ambiguous(text: str) -> bool:
    """Return whether a text is a number with a mark that separates thousands in one language and decimals in others."""
    return AMBIGUOUS.fullmatch(_unify_marks(text)) is not None


def parse_decimal(text: str, *, maximum: float | None = None, decimals: int = 2) -> Decimal | None:
    """Return the number that a person has written, in any script, with a decimal point or comma; None if it is none.

    A text such as ``1,200`` or ``1.200`` is no number: depending on the language it is 1.2 or 1200. It is one where
    only the former is possible: if the latter exceeds ``maximum``, or with a point if numbers have three ``decimals``.
    """
    plain = _unify_marks(text)
    if AMBIGUOUS.fullmatch(plain):
        is_small = maximum is not None and maximum < THOUSAND
        return Decimal(plain.replace(",", ".")) if is_small or (decimals == 3 and "." in plain) else None
    if (found := PLAIN.fullmatch(plain)) is not None:
        sign, whole, fraction = found.groups()
    elif (found := GROUPED.fullmatch(plain)) is not None:
        sign, grouped, mark, fraction = found.groups()
        whole = grouped.replace(mark, "")
    else:
        return None
    return Decimal(f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}")


def _unify_marks(text: str) -> str:
    return GROUP_MARKS.sub(" ", normalize_digits(text.strip()).translate(OTHER_SIGNS))
