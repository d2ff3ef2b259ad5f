"""Texts as people search them: words without case and accents, the same in Python and in PostgreSQL.

Both sides take off the marks that a decomposition splits from letters, and what is no letter or digit in ASCII; so the
result does not depend on the database's locale.
"""

import re
import unicodedata
from typing import Final

MARKS: Final = r"[\u0300-\u036f]"
SEPARATORS: Final = r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+"

# The words of a text with one blank between them, as an expression that an index may hold.
WORDS: Final = (
    f"regexp_replace(lower(regexp_replace(normalize({{}}, NFKD), '{MARKS}', '', 'g')), '{SEPARATORS}', ' ', 'g')"
)
VECTOR: Final = f"to_tsvector('simple'::regconfig, {WORDS})"

MOST_WORDS: Final = 10


def words(text: str) -> list[str]:
    """Return the first words of a text as the expression ``WORDS`` makes them."""
    plain = re.sub(MARKS, "", unicodedata.normalize("NFKD", text)).lower()
    return re.sub(SEPARATORS, " ", plain).split()[:MOST_WORDS]


def beginnings(found: list[str]) -> str:
    """Make a query of tsvectors in which some word begins with each of these."""
    return " & ".join(f"'{word}':*" for word in found)
