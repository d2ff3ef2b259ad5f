"""Sentences of the API, which are English, in the language of a page that shows them.

A sentence that is not known here, is no ``Sentence`` and is not marked with ``N_`` by a plugin stays as it is.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Final

from comanda.basics.errors import ComandaError, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.web.languages.selection import Language, choose_language, use_language
from comanda.web.languages.translations import N_, gettext

# The statuses of orders, deliveries and payments, which templates translate as ``status|replace("_", " ")|capitalize``.
STATUS_LABELS: Final = (
    N_("New"),
    N_("Pending"),
    N_("Confirmed"),
    N_("Preparing"),
    N_("Ready"),
    N_("Assigned"),
    N_("Picked up"),
    N_("Out for delivery"),
    N_("Delivered"),
    N_("Completed"),
    N_("Cancelled"),
    N_("Failed"),
    N_("Paid"),
    N_("Unpaid"),
    N_("Partially paid"),
    N_("Refunded"),
    N_("Partially refunded"),
)
# The messages of errors without one of their own, and the wording of validation.
SENTENCES: Final = (
    N_("Something went wrong on our side."),
    N_("The request could not be read."),
    N_("A valid access token is required."),
    N_("The balance does not cover this amount."),
    N_("This token is not allowed to do this."),
    N_("Not found."),
    N_("This method is not allowed here."),
    N_("The request body took too long to arrive."),
    N_("This is not possible in the current state."),
    N_("The request body is too large."),
    N_("Content-Type must be application/json."),
    N_("Some fields are missing or invalid."),
    N_("Too many requests. Try again shortly."),
    N_("The service is busy or restarting. Try again shortly."),
    N_("This field is required."),
    N_("Must be a string."),
    N_("Must be a whole number."),
    N_("This number is too large."),
    N_("Must be a number."),
    N_("Must be a finite number."),
    N_("Must be true or false."),
    N_("Must be a list."),
    N_("Must be an object."),
    N_("Must be a date such as 2026-02-28."),
    N_("Must be a time such as 2026-02-28T18:30:00+00:00."),
    N_("Must be a valid date."),
    N_("Must be a time of day such as 18:30."),
    N_("Must be a string of Unicode characters."),
    N_("There is no such field."),
    N_("This time needs a UTC offset, such as +00:00."),
    N_("Must be of another type."),
    N_("You do not have the permission for this."),
    N_("You are signed in with an account that may not use this page."),
    N_("This form has expired, or was not sent from our page. Go back, reload the page, and try again."),
    N_("This is one of the most common passwords. Choose another."),
)
# The names of the pages that show errors.
NAMES: Final = (
    N_("Bad Request"),
    N_("Conflict"),
    N_("Forbidden"),
    N_("Internal Server Error"),
    N_("Not Found"),
    N_("Service Unavailable"),
    N_("Too Many Requests"),
)
# What their placeholders stand for is anything; the first that fits is taken.
PATTERNS: Final = (
    N_("Must contain at least %(number)s item."),
    N_("Must contain at least %(number)s items."),
    N_("Must contain at most %(number)s item."),
    N_("Must contain at most %(number)s items."),
    N_("Must have at least %(number)s character."),
    N_("Must have at least %(number)s characters."),
    N_("Must have at most %(number)s character."),
    N_("Must have at most %(number)s characters."),
    N_("Must be %(number)s or more."),
    N_("Must be %(number)s or less."),
    N_("Must be more than %(number)s."),
    N_("Must be less than %(number)s."),
    N_("Must match the pattern %(pattern)s."),
    N_("Must be one of: %(values)s."),
)
# A sentence without it fits no pattern.
PATTERN_WORD: Final = "Must "
PLACEHOLDER: Final = re.compile(r"%\\\((\w+)\\\)s")


def translate_sentence(sentence: str) -> str:
    """Return a sentence of the API in the current language, or as it is."""
    if isinstance(sentence, Sentence):
        parts = sentence.values.items()
        values = {name: translate_sentence(part) if isinstance(part, Sentence) else part for name, part in parts}
        return gettext(sentence.source, **values)
    found = gettext(sentence)
    if found != sentence or PATTERN_WORD not in sentence:
        return found
    for pattern, expression in _list_expressions():
        if match := expression.fullmatch(sentence):
            return gettext(pattern, **match.groupdict())
    return sentence


def translate_error(error: ComandaError, headers: Mapping[str, str]) -> None:
    """Translate the sentences of an error into the language that the headers of a request ask for."""
    with use_language(choose_language(headers)):
        error.message = translate_sentence(error.message)
        if isinstance(error, ValidationFailed):
            error.errors = {
                name: [translate_sentence(sentence) for sentence in sentences]
                for name, sentences in error.errors.items()
            }


@contextmanager
def translate_errors(headers: Mapping[str, str]) -> Iterator[Language]:
    """Speak the language that the headers of a request ask for while the block runs, in its errors, too."""
    with use_language(choose_language(headers)) as language:
        try:
            yield language
        except ComandaError as error:
            translate_error(error, headers)
            raise


@cache
def _list_expressions() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((text, re.compile(PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(text)))) for text in PATTERNS)
