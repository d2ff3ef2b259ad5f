"""The format of amounts, times and rules on pages."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from babel.numbers import format_currency
from comanda import money

LOCALE: Final = "en"


def format_price(minor: int, currency: str) -> str:
    """Return a formatted amount, such as €9.50."""
    return _format_cached_price(minor, currency)


def format_time(when: datetime, zone: ZoneInfo, near: datetime | None = None) -> str:
    """Return a local time of the store, without the day if it is the same day as ``near``."""
    local = when.astimezone(zone)
    is_known = near is not None and near.astimezone(zone).date() == local.date()
    return format_datetime(local, "HH:mm" if is_known else "EEE d MMM, HH:mm", locale=LOCALE)


def to_label(name: str) -> str:
    """Return a label for a field name, such as Age confirmed for ``age_confirmed``."""
    return name.replace("_", " ").capitalize()


def format_choice_rule(group: Mapping[str, Any]) -> str:
    """Return how many extras of a group can be chosen."""
    minimum, maximum, free = group["min_count"], group["max_count"], group["free_count"]
    if maximum is None:
        text = f"choose at least {minimum}" if minimum else "choose any"
    elif minimum == maximum:
        text = f"choose {minimum}"
    else:
        text = f"choose {minimum} to {maximum}" if minimum else f"choose up to {maximum}"
    return f"{text}, {free} free" if free else text


@lru_cache(maxsize=5000)
def _format_cached_price(minor: int, currency: str) -> str:
    return str(format_currency(money.to_decimal_string(minor, currency), currency, locale=LOCALE))
