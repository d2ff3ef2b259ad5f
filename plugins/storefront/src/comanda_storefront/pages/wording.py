"""How pages say amounts, moments and rules."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from babel.numbers import format_currency
from comanda import money

LOCALE: Final = "en"


def price(minor: int, currency: str) -> str:
    """Write an amount as people read it, such as €9.50."""
    return _price(minor, currency)


def moment(when: datetime, zone: ZoneInfo, near: datetime | None = None) -> str:
    """Write a moment as the store's clock and calendar show it, without the day where that is the one of ``near``."""
    local = when.astimezone(zone)
    is_known = near is not None and near.astimezone(zone).date() == local.date()
    return format_datetime(local, "HH:mm" if is_known else "EEE d MMM, HH:mm", locale=LOCALE)


def words(name: str) -> str:
    """Make words of a name, such as Age confirmed of ``age_confirmed``."""
    return name.replace("_", " ").capitalize()


def rule(group: Mapping[str, Any]) -> str:
    """Say how many extras of a group are to be chosen."""
    least, most, free = group["min_count"], group["max_count"], group["free_count"]
    if most is None:
        said = f"choose at least {least}" if least else "choose any"
    elif least == most:
        said = f"choose {least}"
    else:
        said = f"choose {least} to {most}" if least else f"choose up to {most}"
    return f"{said}, {free} free" if free else said


@lru_cache(maxsize=5000)
def _price(minor: int, currency: str) -> str:
    return str(format_currency(money.to_decimal_string(minor, currency), currency, locale=LOCALE))
