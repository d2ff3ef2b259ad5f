"""Countries, currencies, time zones and days of the week as choices of a form, with their names in a language."""

from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import available_timezones

from comanda.basics.lazy_imports import LazyModule
from comanda.web.languages.translations import N_

if TYPE_CHECKING:
    import babel
    from babel import core, numbers
else:
    # Few pages have such choices.
    babel, core, numbers = LazyModule("babel"), LazyModule("babel.core"), LazyModule("babel.numbers")

Choice = tuple[str, str]

COUNTRY_LENGTH: Final = 2
# Territories of CLDR that are no countries: an unknown region, pseudo-locales, and the United Nations.
NO_COUNTRIES: Final = frozenset({"ZZ", "XA", "XB", "UN", "EU", "EZ", "QO"})
# Zones such as Etc/GMT+5 are there for programs.
HIDDEN_ZONES: Final = ("Etc/", "SystemV/", "US/", "posix/", "right/")
# From Monday on, marked for translation.
WEEKDAY_LABELS: Final = (
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
    N_("Sunday"),
)


@cache
def list_countries(language: str = "en") -> tuple[Choice, ...]:
    """List the codes of countries with their names, by name."""
    names = _get_locale(language).territories
    found = [
        (code, name)
        for code, name in names.items()
        if len(code) == COUNTRY_LENGTH and code.isalpha() and code not in NO_COUNTRIES
    ]
    return tuple(sorted(found, key=lambda choice: choice[1]))


@cache
def list_currencies(language: str = "en") -> tuple[Choice, ...]:
    """List the codes of currencies that are in use somewhere, with their names, by code."""
    locale = _get_locale(language)
    current = {
        code
        for used in core.get_global("territory_currencies").values()
        for code, _, end, is_tender in used
        if end is None and is_tender
    }
    return tuple((code, f"{code} · {numbers.get_currency_name(code, locale=locale)}") for code in sorted(current))


@cache
def list_time_zones() -> tuple[Choice, ...]:
    """List the names of time zones, as regions and cities."""
    names = [name for name in available_timezones() if "/" in name and not name.startswith(HIDDEN_ZONES)]
    return tuple((name, name.replace("_", " ")) for name in ["UTC", *sorted(names)])


def _get_locale(language: str) -> "babel.Locale":
    try:
        return babel.Locale.parse(language, sep="-" if "-" in language else "_")
    except (babel.UnknownLocaleError, ValueError):
        return babel.Locale("en")
