"""Which language a person is written to in: theirs, else that of the store's country, else English."""

import re
from typing import Final

from babel import localedata
from babel.core import get_global
from comanda.contracts.messaging import FALLBACK_LANGUAGE

# The language, its script and its country; of what BCP 47 lets follow, no text depends on any.
TAG: Final = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?(?![a-z0-9])", re.IGNORECASE)
QUALITY: Final = re.compile(r";\s*q=([01](?:\.[0-9]{0,3})?)")
# Longer than any browser's list of languages.
LONGEST_LIST: Final = 500


def canonical(tag: str) -> str | None:
    """Return a tag in BCP 47's own spelling, such as ``pt-BR``, or None for what is no language with or without it."""
    found = TAG.fullmatch(tag) if tag.isascii() else None
    return _spelled(found) if found and localedata.exists(found[1].lower()) else None


def candidates(language: str | None, country: str | None) -> list[str]:
    """List the tags under which a text may be found, the best first and English last.

    ``language`` is a tag, or a list of them as the header ``Accept-Language`` has it; ``country`` is the store's.
    """
    wanted = [*_accepted(language or ""), *_spoken_in(country), FALLBACK_LANGUAGE]
    return list(dict.fromkeys(wider for tag in wanted for wider in _widened(tag)))


def _accepted(listed: str) -> list[str]:
    found: list[tuple[float, str]] = []
    for part in listed[:LONGEST_LIST].split(","):
        tag, quality = TAG.match(part.strip()), QUALITY.search(part)
        weight = float(quality[1]) if quality else 1.0
        if tag and weight > 0:
            found.append((weight, _spelled(tag)))
    return [tag for _, tag in sorted(found, key=lambda one: -one[0])]


def _spoken_in(country: str | None) -> list[str]:
    likely: str | None = get_global("likely_subtags").get(f"und_{country}") if country else None
    return [f"{likely.partition('_')[0]}-{country}"] if likely else []


def _widened(tag: str) -> list[str]:
    parts = tag.split("-")
    return ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]


def _spelled(found: re.Match[str]) -> str:
    language, script, country = found.groups()
    parts = (language.lower(), script and script.title(), country and country.upper())
    return "-".join(part for part in parts if part)
