"""Conversion of amounts between the wire and internal integer minor units of an ISO 4217 currency.

Internally, an amount is an ``int`` of minor units (cents, yen, fils). It becomes a JSON number in REST answers and a
decimal string in webhook data. No float takes part in arithmetic; where a division is needed, ``half_up`` does it.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import TYPE_CHECKING, Final, Self
from unicodedata import category

from babel.core import get_global
from babel.localedata import locale_identifiers
from pydantic_core import CoreSchema, core_schema

from comanda.basics.errors import ValidationFailed
from comanda.basics.lazy_imports import LazyModule

if TYPE_CHECKING:
    from babel import languages, numbers
else:
    # Few files have signs.
    languages, numbers = LazyModule("babel.languages"), LazyModule("babel.numbers")

MAX_MINOR: Final = 10**12
"""The largest amount accepted on the wire. Its 13 digits fit into the 15 that a double represents exactly."""

# Stored amounts are minor units, so these stay although CLDR changes its own: with another exponent every price in such
# a currency would be another. All currencies that stand in none of the lists have two decimals.
_CURRENCIES_BY_EXPONENT: Final = {
    0: """
        ADP AFN ALL BIF BYR CLP DJF ESP GNF IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PYG RSD RWF SLL
        SOS STD SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD
    """,
    3: "BHD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_EXPONENTS: Final = {
    currency: exponent for exponent, currencies in _CURRENCIES_BY_EXPONENT.items() for currency in currencies.split()
}

# Decimal() would also take exponents, underscores, blanks and the digits of other scripts.
_DECIMAL_TEXT: Final = re.compile(r"-?[0-9]{1,32}(\.[0-9]{1,32})?", re.ASCII)


@cache
def get_exponent(currency: str) -> int:
    """Return how many decimals a currency has: 0 for JPY, 2 for EUR, 3 for KWD.

    Raises ``ValueError`` unless ``currency`` is an upper-case code that CLDR knows.
    Source: CLDR 47's currency fractions; for a few currencies these are fewer than ISO 4217 lists (IQD 0 instead of 3),
    because CLDR counts the decimals in use.
    """
    if currency not in get_global("all_currencies"):
        raise ValueError(f"{currency!r} is not a currency code.")
    return _EXPONENTS.get(currency, 2)


@cache
def list_currency_signs(currency: str) -> frozenset[str]:
    """Return how a currency is written beside amounts, in lower case and without dots: the code, and signs such as €.

    The signs are those of English and of the languages of the country that ISO 4217 names the currency after.
    """
    country = currency[:2]
    locales = ["en", "en_001", *(f"{language}_{country}" for language in languages.get_official_languages(country))]
    known = set(locale_identifiers())
    signs = [numbers.get_currency_symbol(currency, locale) for locale in locales if locale in known]
    return frozenset(clean_currency_sign(sign) for sign in (currency, *signs))


def is_currency_sign(sign: str) -> bool:
    """Return whether a text is the sign or the code of some currency."""
    return sign.strip().upper() in get_global("all_currencies") or any(category(each) == "Sc" for each in sign)


def clean_currency_sign(sign: str) -> str:
    """Return a sign in the form of ``list_currency_signs``."""
    return "".join(letter for letter in sign.casefold() if letter != "." and letter.isprintable()).strip()


def round_half_up(numerator: int, denominator: int) -> int:
    """Return the quotient rounded to the nearest integer, halves away from zero: the only rounding rule for money.

    ``denominator`` is positive. A negative amount is rounded like its absolute value, so that a refund cancels its
    charge exactly.
    """
    if numerator < 0:
        return -round_half_up(-numerator, denominator)
    return (2 * numerator + denominator) // (2 * denominator)


def to_minor(amount: int | float | str | Decimal, currency: str) -> int:
    """Convert a number from the wire exactly; a float stands for its shortest decimal, so ``12.1`` is 12.10.

    Raises ``ValueError``, with a message that may be shown to users, for a bool, NaN or infinity, text that is not a
    plain decimal (``-12.50``), a value finer than the currency, more than ``MAX_MINOR`` either way, and an unknown
    currency.
    """
    places = get_exponent(currency)
    sign, digits, scale = _to_decimal(amount).as_tuple()
    if not isinstance(scale, int):
        raise ValueError("An amount must be a finite number.")
    if not any(digits):
        return 0
    # Compare lengths before computing a power of ten: 1e999999999 must cost nothing.
    shift = scale + places
    if len(digits) + shift > len(str(MAX_MINOR)):
        raise ValueError(_format_too_large(currency))
    if shift < 0 and any(digits[shift:]):
        raise ValueError(f"An amount in {currency} has {f'at most {places}' if places else 'no'} decimals.")
    magnitude = int("".join(map(str, digits[:shift] if shift < 0 else digits + (0,) * shift)))
    if magnitude > MAX_MINOR:
        raise ValueError(_format_too_large(currency))
    return -magnitude if sign else magnitude


def round_to_minor(amount: float | Decimal, currency: str) -> int:
    """Convert a number that may be finer than the currency, such as one that was given without it. Halves go up.

    Raises ``ValueError`` as ``to_minor`` does for what is no amount.
    """
    step = Decimal(1).scaleb(-get_exponent(currency))
    return to_minor(_to_decimal(amount).quantize(step, ROUND_HALF_UP), currency)


def parse_amount(amount: int | float | Decimal, currency: str, field: str) -> int:
    """Convert an amount of a body like ``to_minor``. Raises ``ValidationFailed`` on ``field``."""
    try:
        return to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error


def to_number(minor: int, currency: str) -> int | float:
    """Return an amount as the JSON number of REST answers: an int for currencies without decimals, else a float.

    The float is the double nearest to the exact decimal, and so prints as that decimal, up to 10**15 minor units.
    """
    places = get_exponent(currency)
    return minor / 10**places if places else minor


def to_decimal_string(minor: int, currency: str) -> str:
    """Return an amount as the decimal string of webhook data, with all decimals of the currency: ``12.50``."""
    places = get_exponent(currency)
    if not places:
        return str(minor)
    whole, fraction = divmod(abs(minor), 10**places)
    return f"{'-' if minor < 0 else ''}{whole}.{fraction:0{places}}"


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of a currency, in minor units. In answers it is a JSON number."""

    minor: int
    currency: str

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        number = core_schema.plain_serializer_function_ser_schema(
            cls.to_number, return_schema=core_schema.float_schema()
        )
        return core_schema.is_instance_schema(cls, serialization=number)

    def to_number(self) -> int | float:
        """Return the JSON number of REST answers."""
        return to_number(self.minor, self.currency)

    def to_decimal_string(self) -> str:
        """Return the decimal string of webhook data."""
        return to_decimal_string(self.minor, self.currency)

    def __add__(self, other: Self) -> Self:
        """Return the sum. Raises ``ValueError`` for two currencies."""
        return self._with_minor(self.minor + self._get_minor(other))

    def __sub__(self, other: Self) -> Self:
        """Return the difference. Raises ``ValueError`` for two currencies."""
        return self._with_minor(self.minor - self._get_minor(other))

    def _with_minor(self, minor: int) -> Self:
        return type(self)(minor, self.currency)

    def _get_minor(self, other: Self) -> int:
        if other.currency != self.currency:
            raise ValueError(f"{other.currency} cannot be added to {self.currency}.")
        return other.minor


def _to_decimal(amount: int | float | str | Decimal) -> Decimal:
    if isinstance(amount, bool):
        raise ValueError("An amount must be a number, not true or false.")
    if isinstance(amount, float):
        return Decimal(repr(amount))
    if isinstance(amount, str) and not _DECIMAL_TEXT.fullmatch(amount):
        raise ValueError("An amount must be a decimal number such as 12.50.")
    return Decimal(amount)


def _format_too_large(currency: str) -> str:
    return f"An amount must not exceed {to_decimal_string(MAX_MINOR, currency)} {currency} either way."
