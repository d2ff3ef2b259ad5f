"""Phone numbers in one form, however they were written."""

from functools import lru_cache

import phonenumbers

MAX_DIGITS = 20
# What is no number of any country is still somebody's, as long as it could be one: shorter is a typing error.
DIGITS = range(5, 16)


@lru_cache(maxsize=4096)
def normalise(text: str, country: str | None) -> str | None:
    """Return a number in E.164, such as ``+351912345678``, or None for a text that is no phone number.

    ``country`` (ISO 3166, two capitals) is where a number without its country's code belongs. Where that is unknown, or
    the number is none of that country's, its digits alone are returned: they still tell one caller from another.
    """
    try:
        parsed = phonenumbers.parse(text, country)
    except phonenumbers.NumberParseException:
        return _digits(text)
    # A number without its area is possible too, but within that area only.
    if phonenumbers.is_possible_number_with_reason(parsed) != phonenumbers.ValidationResult.IS_POSSIBLE:
        return _digits(text)
    number = phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
    return number if len(number) <= MAX_DIGITS else None


def digits_of(text: str) -> str:
    """Return the digits of a text, whatever script they are written in, as ``0`` to ``9``."""
    return str(phonenumbers.normalize_digits_only(text))


def _digits(text: str) -> str | None:
    digits = digits_of(text)
    return digits if len(digits) in DIGITS else None
