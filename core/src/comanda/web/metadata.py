"""What a public page says about itself to search engines and to programs that show a preview of a link.

A page passes ``metadata`` to ``comanda/metadata.html`` in its head: title, description, Open Graph, canonical address,
and a schema.org document.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.web.languages.selection import LANGUAGES, current_language

SCHEMA_ORG: Final = "https://schema.org"
TERRITORIES: Final[Mapping[str, str]] = {"en": "GB", "ar": "AR"}
MAX_DESCRIPTION_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class PreviewPhoto:
    """An image of a page in a preview of its link, as an absolute address."""

    url: str
    alt: str
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """Metadata of a public page. ``url`` is its canonical address; ``document`` is JSON-LD of schema.org.

    Without ``has_description`` the page prints its description itself.
    """

    title: str
    description: str
    url: str
    site_name: str
    image: PreviewPhoto | None = None
    document: Mapping[str, Any] | None = None
    is_indexed: bool = True
    has_description: bool = True

    @property
    def locale(self) -> str:
        """The language of the page as Open Graph spells it, such as ``pt_PT``."""
        return _to_locale(current_language().code)

    @property
    def other_locales(self) -> tuple[str, ...]:
        """The other languages in which the page is served."""
        return tuple(_to_locale(code) for code in LANGUAGES if code != current_language().code)


def shorten(text: str, length: int = MAX_DESCRIPTION_LENGTH) -> str:
    """Return a text without line breaks, cut at a word if it is too long."""
    plain = " ".join(text.split())
    return plain if len(plain) <= length else plain[: length - 1].rsplit(" ", 1)[0] + "…"


def _to_locale(code: str) -> str:
    return f"{code}_{TERRITORIES.get(code, code.upper())}"
