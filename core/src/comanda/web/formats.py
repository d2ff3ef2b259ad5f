"""Amounts, numbers and times as people of the current language write them; each function is a filter of templates.

Digits are Latin in every language, Arabic too: so columns line up, and numbers are those of receipts and of bank
statements. Clocks have 24 hours. What is None is shown as nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.basics.lazy_imports import LazyModule
from comanda.basics.money import Money, get_exponent, to_decimal_string
from comanda.web.languages.selection import current_language

if TYPE_CHECKING:
    import babel
    from babel import dates, lists, numbers
else:
    # Pages without numbers and times need none of it.
    babel, dates = LazyModule("babel"), LazyModule("babel.dates")
    lists, numbers = LazyModule("babel.lists"), LazyModule("babel.numbers")

Number = int | float | str | Decimal
Zone = ZoneInfo | str | None

# English as it is written outside of the United States, which CLDR's English is not.
ENGLISH_DAYS: Final = {"MMMd": "d MMM", "yMMMd": "d MMM y", "MMMEd": "EEE d MMM", "yMMMEd": "EEE d MMM y"}
HALF_MINUTE: Final = timedelta(seconds=30)
SEPARATORS: Final = {"ar": "، "}


def format_money(value: Number | Money | None, currency: str = "") -> str:
    """Return an amount with its currency: €9.50. ``value`` is a number of the wire, or a ``Money``."""
    if value is None:
        return ""
    if isinstance(value, Money):
        return _format_money(value.to_decimal_string(), value.currency, current_language().code)
    return _format_money(str(value), currency, current_language().code)


def format_minor(minor: int | None, currency: str) -> str:
    """Return an amount in minor units with its currency."""
    return "" if minor is None else format_money(to_decimal_string(minor, currency), currency)


def format_number(value: Number | None, decimals: int | None = None) -> str:
    """Return a number with separators of thousands, and with so many decimals, or at most three."""
    if value is None:
        return ""
    pattern = None if decimals is None else "#,##0" + ("." + "0" * decimals if decimals else "")
    return _format_number(str(value), pattern, _get_locale())


def format_percentage(value: Number | None, decimals: int = 1) -> str:
    """Return a fraction as percent: 0.125 as 12.5%."""
    if value is None:
        return ""
    rounded = round(Decimal(str(value)), decimals + 2)
    return numbers.format_percent(rounded, locale=_get_locale(), decimal_quantization=False)


def format_day(
    value: datetime | date | str | None, zone: Zone = None, *, weekday: bool = False, year: bool = True
) -> str:
    """Return a day: 3 Nov 2026, or with the weekday Tue 3 Nov 2026. Of a moment it is the day in the time zone."""
    moment = _to_local(value, zone)
    skeleton = f"{'y' if year else ''}MMM{'E' if weekday else ''}d"
    return "" if moment is None else _format_date(moment, skeleton)


def format_time(value: datetime | str | None, zone: Zone = None) -> str:
    """Return the time of day in a time zone: 18:05."""
    moment = _to_local(value, zone)
    return moment.strftime("%H:%M") if isinstance(moment, datetime) else ""


def format_moment(value: datetime | str | None, zone: Zone = None) -> str:
    """Return day and time in a time zone: Tue 3 Nov, 18:05; with the year instead of the weekday if it is another.

    A date alone is shown in the same way: Tue 3 Nov.
    """
    moment = _to_local(value, zone)
    if moment is None:
        return ""
    is_this_year = moment.year == clock.now().astimezone(getattr(moment, "tzinfo", None)).year
    day = _format_date(moment, "MMMEd" if is_this_year else "yMMMd")
    separator = SEPARATORS.get(current_language().code, ", ")
    return day + separator + format_time(moment) if isinstance(moment, datetime) else day


def format_distance(value: datetime | str | None) -> str:
    """Return how long ago a moment was, or how far ahead it is: 5 minutes ago, in 2 days."""
    moment = _to_local(value, "UTC")
    if not isinstance(moment, datetime):
        return ""
    distance = moment - clock.now()
    if abs(distance) > 2 * HALF_MINUTE and distance % HALF_MINUTE:
        # The middle of a half minute, as all within it read the same.
        distance = distance // HALF_MINUTE * HALF_MINUTE + HALF_MINUTE / 2
    return _format_distance(distance, _get_locale())


def format_names(values: Iterable[object]) -> str:
    """Return an enumeration: bread, butter and salt."""
    language = current_language().code
    return lists.format_list([str(value) for value in values], locale="en_GB" if language == "en" else language)


FILTERS: Final[Mapping[str, Callable[..., str]]] = {
    "money": format_money,
    "number": format_number,
    "percent": format_percentage,
    "day": format_day,
    "time": format_time,
    "moment": format_moment,
    "ago": format_distance,
    "list_of": format_names,
}


def _get_locale() -> str:
    return _to_locale(current_language().code)


def _to_locale(language: str, currency: str = "") -> str:
    # Portuguese texts are those of Portugal; only amounts in reais are written as in Brazil.
    return "pt_PT" if language == "pt" and currency != "BRL" else language


def _format_date(day: date, skeleton: str) -> str:
    # The date as it stands: a moment was converted to its time zone before.
    return _format_known_date(date(day.year, day.month, day.day), skeleton, current_language().code)


@lru_cache(maxsize=1024)
def _format_known_date(day: date, skeleton: str, language: str) -> str:
    if language == "en":
        return dates.format_date(day, ENGLISH_DAYS[skeleton], locale=language)
    return dates.format_skeleton(skeleton, datetime(day.year, day.month, day.day, tzinfo=UTC), locale=language)


@lru_cache(maxsize=4096)
def _format_distance(distance: timedelta, locale: str) -> str:
    return dates.format_timedelta(distance, add_direction=True, locale=locale)


def _to_local(value: datetime | date | str | None, zone: Zone) -> datetime | date | None:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        value = date.fromisoformat(value) if len(value) == len("2026-11-03") else datetime.fromisoformat(value)
    if not isinstance(value, datetime) or zone is None:
        return value
    # A time without a zone is already local.
    return value if value.tzinfo is None else value.astimezone(ZoneInfo(zone) if isinstance(zone, str) else zone)


@lru_cache(maxsize=4096)
def _format_number(number: str, pattern: str | None, locale: str) -> str:
    return numbers.format_decimal(Decimal(number), pattern, locale=locale)


@lru_cache(maxsize=4096)
def _format_money(number: str, currency: str, language: str) -> str:
    locale = babel.Locale.parse(_to_locale(language, currency))
    pattern = copy(locale.currency_formats["standard"])
    # As many decimals as stored amounts have: the library's own count may be another one.
    pattern.frac_prec = (get_exponent(currency),) * 2
    return str(pattern.apply(Decimal(number), locale, currency=currency, currency_digits=False))
