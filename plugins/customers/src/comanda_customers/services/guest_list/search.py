"""Normalization of names and phone numbers for search."""

import re
import unicodedata

from comanda.basics import to_digits

# Letters without a Unicode decomposition to their plain form.
DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", DOTLESS_I: "i"})
PHONE_PATTERN = re.compile(r"[\d\s()+./-]+")


def normalize_text(text: str) -> str:
    """Return a text in lower case, without accents and with single spaces."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return " ".join(kept.casefold().translate(PLAIN_LETTERS).split())


def extract_phone_digits(text: str) -> str:
    """Return the digits to search phone numbers for, or an empty string if the text cannot be part of one.

    Leading zeros are dial prefixes and not part of a stored number.
    """
    if not PHONE_PATTERN.fullmatch(text):
        return ""
    return to_digits(text).lstrip("0")
