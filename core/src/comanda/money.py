"""Amounts between the wire and the inside: integer minor units and an ISO 4217 currency.

Inside, an amount is an ``int`` of minor units (cents, yen, fils). It becomes a JSON number in REST answers and a
decimal string in webhook data. No float takes part in arithmetic; where a division is needed, ``half_up`` does it.
"""

import re
from decimal import Decimal
from functools import cache
from typing import Final

from babel.core import get_global

MAX_MINOR: Final = 10**12
"""The largest amount the wire may name. Its 13 digits sit safely inside the 15 that every double keeps exactly."""

# Decimal() would also take exponents, underscores, blanks and the digits of other scripts.
_DECIMAL_TEXT: Final = re.compile(r"-?[0-9]{1,32}(\.[0-9]{1,32})?", re.ASCII)


@cache
def exponent(currency: str) -> int:
    """Tell how many decimals a currency has: 0 for JPY, 2 for EUR, 3 for KWD.

    Raises ``ValueError`` unless ``currency`` is an upper-case code that CLDR knows.
    Source: CLDR's currency fractions as Babel ships them; for a few currencies these are fewer than ISO 4217 lists (IQD
    0 instead of 3), because CLDR counts the decimals in use.
    """
    if currency not in get_global("all_currencies"):
        raise ValueError(f"{currency!r} is not a currency code.")
    fractions = get_global("currency_fractions")
    return int(fractions.get(currency, fractions["DEFAULT"])[0])


def half_up(numerator: int, denominator: int) -> int:
    """Divide and round to the nearest integer, a half away from zero: the one rounding rule for money.

    ``denominator`` is positive. A negative amount rounds as the mirror of its positive, so that a refund undoes its
    charge.
    """
    if numerator < 0:
        return -half_up(-numerator, denominator)
    return (2 * numerator + denominator) // (2 * denominator)


def to_minor(amount: int | float | str | Decimal, currency: str) -> int:
    """Read a number from the wire exactly; a float means its shortest decimal, so ``12.1`` is 12.10 and no less.

    Raises ``ValueError``, with a sentence fit for an answer, for a bool, NaN or infinity, text that is not a plain
    decimal (``-12.50``), a value finer than the currency, more than ``MAX_MINOR`` either way, and an unknown currency.
    """
    places = exponent(currency)
    sign, digits, scale = _exact(amount).as_tuple()
    if not isinstance(scale, int):
        raise ValueError("An amount must be a finite number.")
    if not any(digits):
        return 0
    # Judged by length before any power of ten is taken: 1e999999999 must cost nothing.
    shift = scale + places
    if len(digits) + shift > len(str(MAX_MINOR)):
        raise ValueError(_too_large(currency))
    if shift < 0 and any(digits[shift:]):
        raise ValueError(f"An amount in {currency} has {f'at most {places}' if places else 'no'} decimals.")
    magnitude = int("".join(map(str, digits[:shift] if shift < 0 else digits + (0,) * shift)))
    if magnitude > MAX_MINOR:
        raise ValueError(_too_large(currency))
    return -magnitude if sign else magnitude


def to_number(minor: int, currency: str) -> int | float:
    """Give an amount as the JSON number of REST answers: an int for currencies without decimals, else a float.

    The float is the double nearest to the exact decimal, and so prints as that decimal, up to 10**15 minor units.
    """
    places = exponent(currency)
    return minor / 10**places if places else minor


def to_decimal_string(minor: int, currency: str) -> str:
    """Give an amount as the decimal string of webhook data, with all of the currency's decimals: ``12.50``."""
    places = exponent(currency)
    if not places:
        return str(minor)
    whole, fraction = divmod(abs(minor), 10**places)
    return f"{'-' if minor < 0 else ''}{whole}.{fraction:0{places}}"


def _exact(amount: int | float | str | Decimal) -> Decimal:
    if isinstance(amount, bool):
        raise ValueError("An amount must be a number, not true or false.")
    if isinstance(amount, float):
        return Decimal(repr(amount))
    if isinstance(amount, str) and not _DECIMAL_TEXT.fullmatch(amount):
        raise ValueError("An amount must be a decimal number such as 12.50.")
    return Decimal(amount)


def _too_large(currency: str) -> str:
    return f"An amount must not exceed {to_decimal_string(MAX_MINOR, currency)} {currency} either way."
