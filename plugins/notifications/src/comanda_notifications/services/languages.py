"""The language of a message: the recipient's, else that of the store's country, else English."""

import re
from typing import Final

from babel import localedata
from babel.core import get_global
from comanda.contracts import FALLBACK_LANGUAGE

# Language, script and country; other BCP 47 subtags do not affect texts and are ignored.
TAG_PATTERN: Final = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?(?![a-z0-9])", re.IGNORECASE
)
QUALITY_PATTERN: Final = re.compile(r";\s*q=([01](?:\.[0-9]{0,3})?)")
# Longer than the list of any browser.
MAX_ACCEPT_LANGUAGE_LENGTH: Final = 500


def normalize_tag(tag: str) -> str | None:
    """Return a tag in canonical BCP 47 spelling, such as ``pt-BR``, or None if it is not a known language."""
    found = TAG_PATTERN.fullmatch(tag) if tag.isascii() else None
    return _to_tag(found) if found and localedata.exists(found[1].lower()) else None


def list_candidates(language: str | None, country: str | None) -> list[str]:
    """List the tags to look a text up by, best first and English last.

    ``language`` is a tag or the value of ``Accept-Language``; ``country`` is the store's.
    """
    tags = [*_parse_accept_language(language or ""), *_list_country_languages(country), FALLBACK_LANGUAGE]
    return list(dict.fromkeys(broader for tag in tags for broader in _list_broader_tags(tag)))


def _parse_accept_language(listed: str) -> list[str]:
    found: list[tuple[float, str]] = []
    for part in listed[:MAX_ACCEPT_LANGUAGE_LENGTH].split(","):
        tag, quality = TAG_PATTERN.match(part.strip()), QUALITY_PATTERN.search(part)
        weight = float(quality[1]) if quality else 1.0
        if tag and weight > 0:
            found.append((weight, _to_tag(tag)))
    return [tag for _, tag in sorted(found, key=lambda one: -one[0])]


def _list_country_languages(country: str | None) -> list[str]:
    likely: str | None = get_global("likely_subtags").get(f"und_{country}") if country else None
    return [f"{likely.partition('_')[0]}-{country}"] if likely else []


def _list_broader_tags(tag: str) -> list[str]:
    parts = tag.split("-")
    return ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]


def _to_tag(found: re.Match[str]) -> str:
    language, script, country = found.groups()
    parts = (language.lower(), script and script.title(), country and country.upper())
    return "-".join(part for part in parts if part)
