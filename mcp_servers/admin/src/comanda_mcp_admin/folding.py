"""Texts as people search them: without case and accents, the same in Python and in PostgreSQL."""

import re
import unicodedata

# The marks that a decomposition takes off Latin, Greek and Cyrillic letters.
FOLDED = r"lower(regexp_replace(normalize({}, NFKD), '[\u0300-\u036f]', '', 'g'))"


def fold(text: str) -> str:
    """Return a text as the expression ``FOLDED`` makes it."""
    return re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text)).lower()


def literal(text: str) -> str:
    """Return a text as a pattern of LIKE that matches itself alone."""
    return re.sub(r"([\\%_])", r"\\\1", text)
