"""The largest tip that an order, or a payment for it, may carry: a guard against mistyped amounts."""

from typing import Final

from comanda.basics import money

MAX_TIP_TIMES_SUBTOTAL: Final = 10
MAX_TIP_UNITS: Final = 1000


def max_tip_minor(subtotal_minor: int, currency: str) -> int:
    """Return ten times the subtotal or a thousand units of the currency, whichever is larger."""
    units: int = 10 ** money.get_exponent(currency)
    return max(subtotal_minor * MAX_TIP_TIMES_SUBTOTAL, MAX_TIP_UNITS * units)
