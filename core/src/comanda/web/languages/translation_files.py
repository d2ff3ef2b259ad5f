"""Translations of core and the plugins, from ``translations/<language>/LC_MESSAGES/messages.po`` in each package.

The files are read as they are, when the first person needs the language. English, the source, has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import structlog

from comanda.basics.lazy_imports import LazyModule
from comanda.contracts.registry import Registry
from comanda.platform import runtime

if TYPE_CHECKING:
    import gettext
    from importlib.resources.abc import Traversable

    import babel
    from babel.messages import pofile
    from babel.messages.catalog import Catalog, Message
else:
    # Not needed in English.
    babel, gettext, pofile = LazyModule("babel"), LazyModule("gettext"), LazyModule("babel.messages.pofile")

log = structlog.get_logger(__name__)

CORE: Final = "core"
CORE_PACKAGE: Final = "comanda"
# Extracted comments of a message that say where it is used; scripts of pages get theirs alone.
SCRIPT_COMMENT: Final = "script"
# Between a context and a text, as in gettext.
CONTEXT_SEPARATOR: Final = "\x04"
# From this number on, every language has shown each form of its plural.
MAX_SAMPLE: Final = 200

Key = str | tuple[str, str]
ByLanguage = dict[str, "Translations"]


@dataclass(frozen=True, slots=True)
class Plural:
    """The forms of a text for numbers; ``rule`` returns the position of one, as its file orders them."""

    forms: tuple[str, ...]
    rule: Callable[[int], int]

    def get_form(self, number: float) -> str:
        return self.forms[min(self.rule(abs(int(number))), len(self.forms) - 1)]


@dataclass(frozen=True, slots=True)
class Translations:
    """The translations of all packages into one language, by source text, with its context if it has one."""

    language: str
    texts: dict[Key, str] = field(default_factory=dict)
    plurals: dict[Key, Plural] = field(default_factory=dict)
    script_texts: dict[str, list[Key]] = field(default_factory=dict)

    def list_script_texts(self, plugin: str) -> dict[str, str | dict[str, str]]:
        """Return the translations for the scripts of a plugin: texts, and plurals as forms by CLDR category."""
        found: dict[str, str | dict[str, str]] = {}
        for key in self.script_texts.get(plugin, ()):
            name = key if isinstance(key, str) else CONTEXT_SEPARATOR.join(key)
            if key in self.plurals:
                found[name] = _list_forms(self.plurals[key], self.language)
            elif key in self.texts:
                found[name] = self.texts[key]
        return found


def get_translations(language: str) -> Translations:
    """Return the translations into a language, which the first call in a process reads."""
    known = _get_by_language()
    if language not in known:
        known[language] = read_translations(language)
    return known[language]


def is_loaded(language: str) -> bool:
    """Return whether the translations into a language have been read."""
    return language in _get_by_language()


def list_packages() -> dict[str, str]:
    """List the packages of plugins by name, core first and the others in the order in which they are loaded."""
    registry = _find_registry()
    plugins = registry.plugins if registry is not None else ()
    packages = {plugin.name: plugin.modules[0].__name__.partition(".")[0] for plugin in plugins}
    return {**packages, CORE: CORE_PACKAGE} if CORE in packages else {CORE: CORE_PACKAGE, **packages}


def read_translations(language: str) -> Translations:
    """Read the files of all packages. One that cannot be read is logged and left out.

    A text that two packages have is translated as the first of them says.
    """
    found = Translations(language)
    for plugin, package in list_packages().items():
        try:
            file = find_file(package, language)
            if file is not None:
                _add(found, plugin, _parse(file, language))
        except Exception:
            log.exception("translations_unreadable", plugin=plugin, language=language)
    return found


def find_file(package: str, language: str) -> Traversable | None:
    """Return the file with a package's translations into a language, if it has one."""
    try:
        folder = files(package)
    except (ModuleNotFoundError, TypeError):  # a plugin that is a module, or made by a test
        return None
    file = folder / "translations" / language / "LC_MESSAGES" / "messages.po"
    return file if file.is_file() else None


def _parse(file: Traversable, language: str) -> Catalog:
    with file.open("rb") as stream:
        return pofile.read_po(stream, locale=language, domain="messages")


def _add(found: Translations, plugin: str, catalogue: Catalog) -> None:
    rule = _parse_plural_rule(catalogue)
    for message in catalogue:
        if not message.id or message.fuzzy or not _is_translated(message):
            continue
        source = message.id if isinstance(message.id, str) else message.id[0]
        key = (message.context, source) if message.context else source
        if SCRIPT_COMMENT in message.auto_comments:
            found.script_texts.setdefault(plugin, []).append(key)
        if isinstance(message.string, str):
            found.texts.setdefault(key, message.string)
        else:
            found.plurals.setdefault(key, Plural(tuple(message.string or ()), rule))


def _parse_plural_rule(catalogue: Catalog) -> Callable[[int], int]:
    rule: Callable[[int], int] = gettext.c2py(catalogue.plural_expr)
    return rule


def _is_translated(message: Message) -> bool:
    return bool(message.string if isinstance(message.string, str) else message.string and all(message.string))


def _list_forms(plural: Plural, language: str) -> dict[str, str]:
    category_of = babel.Locale.parse(language).plural_form
    forms: dict[str, str] = {}
    for number in range(MAX_SAMPLE):
        forms.setdefault(category_of(number), plural.get_form(number))
    return {"other": plural.get_form(MAX_SAMPLE // 2), **forms}


def _get_by_language() -> ByLanguage:
    return _get_translations_of(_find_registry())


@lru_cache(maxsize=1)
def _get_translations_of(_registry: Registry | None) -> ByLanguage:
    """Return the translations that were read for a registry; a process has one, and reads each file once."""
    return {}


def _find_registry() -> Registry | None:
    try:
        return runtime.registry()
    except RuntimeError:  # before startup there is core alone
        return None
