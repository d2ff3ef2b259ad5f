"""Texts of pages in the language of the person who reads them.

    from comanda.web.languages.translations import N_, ngettext, gettext as _

    LABEL = N_("Coupons")                                              # marked here, translated where it is shown
    _("Coupon %(code)s created.", code=coupon.code)
    ngettext("%(count)s coupon", "%(count)s coupons", count, count=count)

Templates have the same functions. Texts are written in English, as whole sentences; the translations lie in the package
of the text, in ``translations/<language>/LC_MESSAGES/messages.po``. The same text has the same translation in all
packages; where it means something else, ``pgettext`` gives it a context.
"""

import asyncio
from functools import cache
from typing import Any

from jinja2 import Environment, pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from comanda.web.formats import FILTERS
from comanda.web.languages import translation_files
from comanda.web.languages.selection import (
    LANGUAGES,
    SOURCE_LANGUAGE,
    Language,
    choose_language,
    current_language,
    find_language,
    set_language,
    use_language,
)
from comanda.web.trusted_html import trust_html

__all__ = [
    "LANGUAGES",
    "N_",
    "Language",
    "add_translations",
    "choose_language",
    "current_language",
    "find_language",
    "gettext",
    "list_script_texts",
    "load_language",
    "ngettext",
    "npgettext",
    "pgettext",
    "use_language",
]


def N_(text: str) -> str:  # noqa: N802 - the name that tools for translation know
    """Mark a text for translation where it is written; ``gettext`` translates it where it is shown."""
    return text


def gettext(text: str, **values: object) -> str:
    """Return a text in the current language, with its named placeholders filled."""
    return _fill(find_text(text), values)


def ngettext(singular: str, plural: str, count: float, **values: object) -> str:
    """Return the form of a text for a number in the current language; ``%(num)s`` is the number."""
    return _fill(find_plural(singular, plural, count), {"num": count, **values})


def pgettext(context: str, text: str, **values: object) -> str:
    """Return the translation of a text that means something else in other contexts."""
    return _fill(find_text_in(context, text), values)


def npgettext(context: str, singular: str, plural: str, count: float, **values: object) -> str:
    """Return the form for a number of a text that means something else in other contexts."""
    return _fill(find_plural_in(context, singular, plural, count), {"num": count, **values})


def add_translations(templates: Environment) -> None:
    """Give templates the functions of this module, ``{% trans %}``, and the filters of ``formats``.

    Those of pages have them.
    """
    templates.add_extension("jinja2.ext.i18n")
    # Only the texts: Jinja fills the placeholders itself, and escapes what it fills in.
    extended: Any = templates
    extended.install_gettext_callables(
        find_text, find_plural, newstyle=True, pgettext=find_text_in, npgettext=find_plural_in
    )
    # Most texts of a page have no placeholders; these are looked up and nothing else.
    templates.globals.update(_=render_text, gettext=render_text)
    templates.policies["ext.i18n.trimmed"] = True
    templates.filters.update(FILTERS)
    # For texts that are no literals: the callables above trust their text, mark it as HTML and fill its placeholders.
    templates.filters["translate"] = find_text


@pass_eval_context
def render_text(context: EvalContext, text: str, /, **values: object) -> str:
    """Return the translation of a template's text, as the extension does."""
    found = find_text(text)
    if not context.autoescape:
        return found % values
    # Texts of templates and their translations are ours.
    return trust_html(found) % values if values else _to_markup(found)


@cache
def _to_markup(text: str) -> Markup:
    return trust_html(text) % {}


async def load_language(language: Language) -> None:
    """Set the language for the rest of this request, and read its translations if it is the first with them."""
    if language != SOURCE_LANGUAGE and not translation_files.is_loaded(language.code):
        await asyncio.to_thread(translation_files.get_translations, language.code)
    set_language(language)


def list_script_texts(plugin: str) -> dict[str, str | dict[str, str]]:
    """Return the translations for the scripts of a plugin's pages in the current language; nothing in English."""
    language = current_language()
    if language == SOURCE_LANGUAGE:
        return {}
    return translation_files.get_translations(language.code).list_script_texts(plugin)


def find_text(text: str) -> str:
    """Return a text in the current language, with its placeholders."""
    return _find(text, text)


def find_text_in(context: str, text: str) -> str:
    """Return a text with a context in the current language, with its placeholders."""
    return _find((context, text), text)


def find_plural(singular: str, plural: str, count: float) -> str:
    """Return the form of a text for a number in the current language, with its placeholders."""
    return _find_plural(singular, singular, plural, count)


def find_plural_in(context: str, singular: str, plural: str, count: float) -> str:
    """Return the form for a number of a text with a context, with its placeholders."""
    return _find_plural((context, singular), singular, plural, count)


def _find(key: translation_files.Key, text: str) -> str:
    language = current_language()
    if language is SOURCE_LANGUAGE:
        return text
    return translation_files.get_translations(language.code).texts.get(key, text)


def _find_plural(key: translation_files.Key, singular: str, plural: str, count: float) -> str:
    language = current_language()
    if language != SOURCE_LANGUAGE:
        found = translation_files.get_translations(language.code).plurals.get(key)
        if found is not None:
            return found.get_form(count)
    return singular if count == 1 else plural


def _fill(text: str, values: dict[str, object]) -> str:
    return text % values if values else text
