"""Brand names: which spellings are the same brand, and the slug made from a name."""

import re
import secrets
import unicodedata
from collections.abc import Iterator

# PostgreSQL limits the size of an index entry; this is long enough to tell any two real brands apart.
MAX_KEY_LENGTH = 255
MAX_SLUG_LENGTH = 100
MAX_SUGGESTIONS = 5


def to_name_key(name: str) -> str:
    """Return the key under which a name is unique: letter case, character width and spacing are ignored."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[:MAX_KEY_LENGTH]


def suggest_slugs(name: str) -> Iterator[str]:
    """Yield slugs for a brand: its name in ASCII letters first, then the same with a random suffix."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: MAX_SLUG_LENGTH - 9].strip("-") or "brand"
    yield slug
    for _ in range(MAX_SUGGESTIONS - 1):
        yield f"{slug}-{secrets.token_hex(4)}"
