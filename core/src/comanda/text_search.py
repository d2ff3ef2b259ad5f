"""Texts as people search them: without case and accents, the same in Python and in PostgreSQL.

Both sides take off the marks that a decomposition splits from Latin, Greek and Cyrillic letters, and words end at what
is no letter or digit in ASCII; so a result depends on no database's locale.
"""

import re
import unicodedata
from typing import Final

MARKS: Final = r"[\u0300-\u036f]"
SEPARATORS: Final = r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+"

# SQL expressions of a column or expression, to be put in with `format`; an index may hold them.
FOLDED: Final = f"lower(regexp_replace(normalize({{}}, NFKD), '{MARKS}', '', 'g'))"
WORDS: Final = f"regexp_replace({FOLDED}, '{SEPARATORS}', ' ', 'g')"
VECTOR: Final = f"to_tsvector('simple'::regconfig, {WORDS})"

MAX_WORDS: Final = 10


def fold(text: str) -> str:
    """Return a text as the expression ``FOLDED`` makes it."""
    return re.sub(MARKS, "", unicodedata.normalize("NFKD", text)).lower()


def words(text: str, most: int | None = MAX_WORDS) -> list[str]:
    """Return the first words of a text as the expression ``WORDS`` makes them."""
    return re.sub(SEPARATORS, " ", fold(text)).split()[:most]


def prefix_query(found: list[str]) -> str:
    """Make a query of ``VECTOR`` in which some word begins with each of these."""
    return " & ".join(f"'{word}':*" for word in found)


def escape_like(text: str) -> str:
    """Return a text as a pattern of LIKE that matches itself alone."""
    return re.sub(r"([\\%_])", r"\\\1", text)
