"""Texts as people search them: without case, accents, and the ways to write a phone number."""

import re
import unicodedata

from comanda.phones import digits_of

# Letters that no decomposition takes to their plain form.
DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", DOTLESS_I: "i"})
PHONE_PATTERN = re.compile(r"[\d\s()+./-]+")


def normalize_text(text: str) -> str:
    """Return a text in lower case, without accents, its blanks single."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return " ".join(kept.casefold().translate(PLAIN_LETTERS).split())


def extract_phone_digits(text: str) -> str:
    """Return the digits to look for in phone numbers, or nothing for a text that cannot be part of one.

    Leading zeros, which stand for "abroad" or "another area", are not part of a number's stored form.
    """
    if not PHONE_PATTERN.fullmatch(text):
        return ""
    return digits_of(text).lstrip("0")
