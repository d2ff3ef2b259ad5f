"""Conversion of rates between percent on the wire, with up to four decimals, and integer parts per million.

8.875 % is 88,750 parts per million. Rates follow the same rule as money: a JSON number on the wire, an integer
internally, never float arithmetic.
"""

from decimal import Decimal
from typing import Final

PPM_OF_WHOLE: Final = 1_000_000
"""One hundred percent, in parts per million."""
PPM_OF_PERCENT: Final = 10_000
DECIMALS: Final = 4


def to_ppm(percent: Decimal | int) -> int:
    """Return a percentage in parts per million. Raises ``ValueError`` for one that needs more than four decimals."""
    digits, exponent = Decimal(percent).as_tuple()[1:]
    if not any(digits):
        # Return before computing a power of ten: 0e-999999999 must cost nothing.
        return 0
    if not isinstance(exponent, int):
        raise ValueError("must be a finite number")
    excess = -exponent - DECIMALS
    if excess > 0 and any(digits[-excess:]):
        raise ValueError(f"must have at most {DECIMALS} decimals")
    return int(Decimal(percent) * PPM_OF_PERCENT)


def round_to_ppm(percent: float) -> int:
    """Return the parts per million that are nearest to a percentage, such as that of a setting."""
    return to_ppm(round(Decimal(repr(percent)), DECIMALS))


def to_percent(ppm: int) -> float:
    """Return parts per million as the percentage of REST answers: the double that prints as the exact decimal."""
    return ppm / PPM_OF_PERCENT
