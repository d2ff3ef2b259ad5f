"""Texts as people search them: without case, accents, and the ways to write a phone number."""

import re
import unicodedata

from comanda.phones import to_digits

# Letters that no decomposition takes to their plain form.
DOTLESS = "\N{LATIN SMALL LETTER DOTLESS I}"
PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", DOTLESS: "i"})
PHONE = re.compile(r"[\d\s()+./-]+")


def fold(text: str) -> str:
    """Return a text in lower case, without accents, its blanks single."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return " ".join(kept.casefold().translate(PLAIN).split())


def phone_digits(text: str) -> str:
    """Return the digits to look for in phone numbers, or nothing for a text that cannot be part of one.

    Leading zeros, which stand for "abroad" or "another area", are not part of a number's stored form.
    """
    if not PHONE.fullmatch(text):
        return ""
    return to_digits(text).lstrip("0")
