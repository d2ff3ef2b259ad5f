"""Search text folding: without case and accents, the same in Python and in PostgreSQL.

Both sides remove the marks that decomposition splits from Latin, Greek and Cyrillic letters, and split words at ASCII
characters that are neither letters nor digits, so that results do not depend on the locale of the database.
"""

import re
import unicodedata
from typing import Final

MARKS: Final = r"[\u0300-\u036f]"
SEPARATORS: Final = r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+"

# Templates of SQL expressions; fill in a column or expression with `format`. Indexes are built on them.
FOLDED: Final = f"lower(regexp_replace(normalize({{}}, NFKD), '{MARKS}', '', 'g'))"
WORDS: Final = f"regexp_replace({FOLDED}, '{SEPARATORS}', ' ', 'g')"
VECTOR: Final = f"to_tsvector('simple'::regconfig, {WORDS})"

MAX_WORDS: Final = 10
# More grams would not exclude more texts, but take longer to look up.
MAX_GRAMS: Final = 30


def fold(text: str) -> str:
    """Return a text as the SQL expression ``FOLDED`` does."""
    return re.sub(MARKS, "", unicodedata.normalize("NFKD", text)).lower()


def split_words(text: str, max_words: int | None = MAX_WORDS) -> list[str]:
    """Return the first words of a text as the SQL expression ``WORDS`` splits them."""
    return re.sub(SEPARATORS, " ", fold(text)).split()[:max_words]


def prefix_query(found: list[str]) -> str:
    """Return a query for ``VECTOR`` that matches texts in which some word starts with each of these."""
    return " & ".join(f"'{word}':*" for word in found)


def split_grams(text: str, length: int) -> list[str]:
    """Return the different sequences of ``length`` characters of a text, up to ``MAX_GRAMS``; a short one is its own.

    A text that contains another one contains its grams, too, which an index finds.
    """
    places = range(max(1, len(text) - length + 1))
    return list(dict.fromkeys(text[place : place + length] for place in places))[:MAX_GRAMS]


def escape_like(text: str) -> str:
    """Return a text escaped for LIKE, so that it matches only itself."""
    return re.sub(r"([\\%_])", r"\\\1", text)
