"""The languages of pages, and which of them a person reads."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from comanda.web.sign_in.sessions import cookie_name

LANGUAGE_COOKIE: Final = "comanda_language"
# Longer than the list of any browser.
MAX_ACCEPT_LANGUAGE_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class Language:
    """A language of pages: its code, its name in itself, and the direction in which it is written."""

    code: str
    name: str
    direction: str = "ltr"


LANGUAGES: Final[Mapping[str, Language]] = {
    language.code: language
    for language in (
        Language("en", "English"),
        Language("pt", "Português"),
        Language("es", "Español"),
        Language("fr", "Français"),
        Language("de", "Deutsch"),
        Language("ar", "العربية", "rtl"),
    )
}
SOURCE_LANGUAGE: Final = LANGUAGES["en"]

_current: ContextVar[Language] = ContextVar("language", default=SOURCE_LANGUAGE)


def current_language() -> Language:
    """Return the language in which texts are shown; English outside of pages."""
    return _current.get()


def set_language(language: Language) -> None:
    """Set the language for the rest of this request or task."""
    _current.set(language)


@contextmanager
def use_language(language: Language | str | None) -> Iterator[Language]:
    """Show texts in a language while the block runs, such as those of a message to somebody else.

    ``language`` may be a BCP 47 tag such as ``pt-BR``; English if there are no pages in its language.
    """
    found = language if isinstance(language, Language) else find_language(language)
    token = _current.set(found or SOURCE_LANGUAGE)
    try:
        yield _current.get()
    finally:
        _current.reset(token)


def find_language(tag: str | None) -> Language | None:
    """Return the language of a BCP 47 tag, whatever its script and country, or None if no page is in it."""
    return LANGUAGES.get((tag or "").replace("_", "-").partition("-")[0].strip().lower())


def choose_language(headers: Mapping[str, str], preferred: str | None = None) -> Language:
    """Return the language for a request: the person's choice, else ``preferred``, else the browser's, else English.

    ``headers`` are those of the request, by their names in lower case; ``preferred`` is the language of the store whose
    public page it is.
    """
    chosen = parse_cookie(headers.get("cookie", "")).get(cookie_name(LANGUAGE_COOKIE))
    return find_language(chosen) or find_language(preferred) or _find_accepted(headers.get("accept-language", ""))


def _find_accepted(listed: str) -> Language:
    accepted = parse_accept_header(listed[:MAX_ACCEPT_LANGUAGE_LENGTH], LanguageAccept)
    found = (find_language(tag) for tag, quality in accepted if quality > 0)
    return next((language for language in found if language is not None), SOURCE_LANGUAGE)
