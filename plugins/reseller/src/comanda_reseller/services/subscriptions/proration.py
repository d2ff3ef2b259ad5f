"""Shares of a period's price, for changes of plan in the middle of a period."""

from datetime import timedelta
from typing import Final

from comanda.basics import round_half_up

MICROSECOND: Final = timedelta(microseconds=1)


def prorate(amount_minor: int, remaining: timedelta, period: timedelta) -> int:
    """Return the share of a period's price for the rest of the period, rounded half up.

    The credit for an old plan and the charge for a new one are both this share, so a change that is undone at the same
    moment costs nothing, and what was used of a plan is its price less the share at the time it ended. Nothing before
    the period or after it counts. Raises ``ValueError`` for a period that is not positive.
    """
    if period <= timedelta():
        raise ValueError(f"A period must be longer than {period}.")
    rest = min(max(remaining, timedelta()), period)
    return round_half_up(amount_minor * (rest // MICROSECOND), period // MICROSECOND)
