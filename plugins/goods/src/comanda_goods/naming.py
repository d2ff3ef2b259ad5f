"""When two spellings are one brand, and what a brand is called in addresses."""

import re
import secrets
import unicodedata
from collections.abc import Iterator

# What PostgreSQL keeps in an index has a limit; a key this long tells any two real brands apart.
MAX_KEY = 255
MAX_SLUG = 100
TRIES = 5


def name_key(name: str) -> str:
    """Reduce a brand's name to what makes it that brand: letter case, width and spacing do not."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[:MAX_KEY]


def slugs(name: str) -> Iterator[str]:
    """Suggest addresses for a brand: its name in plain letters, then the same with an ending nobody else has."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: MAX_SLUG - 9].strip("-") or "brand"
    yield slug
    for _ in range(TRIES - 1):
        yield f"{slug}-{secrets.token_hex(4)}"
