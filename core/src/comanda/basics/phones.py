"""Normalization of phone numbers."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from comanda.basics.lazy_imports import LazyModule

if TYPE_CHECKING:
    import phonenumbers
else:
    phonenumbers = LazyModule("phonenumbers", preloads=True)

MAX_DIGITS = 20
# Numbers that fit no country's plan are kept as digits if their length is plausible.
DIGIT_COUNTS = range(5, 16)
# The zero in "+351 (0)912…" is only dialled inside the country. In Italy and its neighbours it belongs to the number.
TRUNK_ZERO = re.compile(r"(\s*\+\s*(?!39|378|379)\d{1,3}\s*)\(0\)")


@lru_cache(maxsize=4096)
def normalize_phone(text: str, country: str | None) -> str | None:
    """Return a number in E.164, such as ``+351912345678``, or None if the text is not a phone number.

    ``country`` (ISO 3166, two capitals) applies to numbers without a country code. If it is unknown, or the number does
    not fit that country's plan, only the digits are returned: they still distinguish one caller from another.
    """
    if TRUNK_ZERO.match(text) and (number := normalize_phone(TRUNK_ZERO.sub(r"\1", text), country)) is not None:
        return number
    try:
        parsed = phonenumbers.parse(text, country)
    except phonenumbers.NumberParseException:
        return _to_digits_or_none(text)
    # A number without an area code is only possible within its area.
    if phonenumbers.is_possible_number_with_reason(parsed) != phonenumbers.ValidationResult.IS_POSSIBLE:
        return _to_digits_or_none(text)
    number = phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
    return number if len(number) <= MAX_DIGITS else None


def get_phone_prefix(country: str) -> int | None:
    """Return the calling code of a country, such as 351 for ``PT``, or None if it has none."""
    return phonenumbers.country_code_for_region(country) or None


def to_digits(text: str) -> str:
    """Return the digits of a text, whatever script they are written in, as ``0`` to ``9``."""
    return str(phonenumbers.normalize_digits_only(text))


def _to_digits_or_none(text: str) -> str | None:
    digits = to_digits(text)
    return digits if len(digits) in DIGIT_COUNTS else None
