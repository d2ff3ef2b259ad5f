from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from babel.dates import format_timedelta
from comanda.basics.money import Money
from comanda.web import formats
from comanda.web.languages.selection import use_language

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "euros", "dinars"),
    [
        ("en", "€1,234.50", "KWD0.125"),
        ("pt", "1\xa0234,50\xa0€", "0,125\xa0KWD"),
        ("de", "1.234,50\xa0€", "0,125\xa0KWD"),
        ("fr", "1\u202f234,50\xa0€", "0,125\xa0KWD"),
        ("ar", "\u200f1,234.50\xa0€", "\u200f0.125\xa0د.ك.\u200f"),
    ],
)
def test_amounts_are_written_as_in_the_language(language, euros, dinars):
    with use_language(language):
        assert formats.format_money(1234.5, "EUR") == euros
        assert formats.format_money("0.125", "KWD") == dinars
        assert formats.format_minor(123450, "EUR") == formats.format_money(Money(123450, "EUR")) == euros


def test_amounts_have_the_decimals_that_are_stored():
    with use_language("en"):
        assert formats.format_money("12.5", "HUF") == "HUF12.50"
        assert formats.format_money(1250, "JPY") == "¥1,250"


def test_amounts_in_reais_are_written_as_in_brazil():
    with use_language("pt"):
        assert formats.format_money(Decimal("9.5"), "BRL") == "R$\xa09,50"


def test_digits_are_latin_in_arabic():
    with use_language("ar"):
        assert formats.format_number(12345.678) == "12,345.678"
        assert formats.format_moment(NOON, "UTC") == "الثلاثاء، 3 نوفمبر، 12:00"


@pytest.mark.parametrize(
    ("language", "moment", "day", "names"),
    [
        ("en", "Tue 3 Nov, 13:00", "3 Nov 2026", "a, b and c"),
        ("es", "mar, 3 nov, 13:00", "3 nov 2026", "a, b y c"),
        ("de", "Di., 3. Nov., 13:00", "3. Nov. 2026", "a, b und c"),
    ],
)
def test_moments_are_of_the_time_zone_given(clock, language, moment, day, names):
    clock.set(NOON)
    with use_language(language):
        assert formats.format_moment(NOON.isoformat(), "Europe/Berlin") == moment
        assert formats.format_day(NOON) == formats.format_day("2026-11-03") == day
        assert formats.format_time(NOON, "Asia/Tokyo") == "21:00"
        assert formats.format_names(["a", "b", "c"]) == names


def test_moment_of_another_year_has_the_year(clock):
    clock.set(NOON)

    assert formats.format_moment("2025-12-31T23:30:00Z", "Europe/Berlin") == "Thu 1 Jan, 00:30"
    assert formats.format_moment("2025-12-31T22:30:00Z", "Europe/Berlin") == "31 Dec 2025, 23:30"
    assert formats.format_moment("2025-12-31") == "31 Dec 2025"
    assert formats.format_moment("2026-01-01") == "Thu 1 Jan"
    assert formats.format_day(date(2026, 2, 1), weekday=True) == "Sun 1 Feb 2026"


@pytest.mark.parametrize(
    "seconds", [-59.5, -60, -89, -90, -91, 150, -3059.5, -3061, 73439, 73441, -26805599, -26805601]
)
def test_distance_is_the_one_that_babel_writes(clock, seconds):
    distance = timedelta(seconds=seconds)

    clock.set(NOON)

    assert formats.format_distance(NOON + distance) == format_timedelta(distance, add_direction=True, locale="en")


def test_distance_is_counted_from_now(clock):
    clock.set(NOON)

    assert formats.format_distance("2026-11-03T11:55:00Z") == "5 minutes ago"
    with use_language("fr"):
        assert formats.format_distance("2026-11-05T12:00:00Z") == "dans 2 jours"


def test_percentages_are_rounded():
    assert formats.format_percentage(0.12549) == "12.5%"
    assert formats.format_percentage(0.12549, 0) == "13%"
    with use_language("de"):
        assert formats.format_percentage("0.07") == "7\xa0%"
        assert formats.format_number(3, 2) == "3,00"


def test_nothing_is_shown_for_none():
    assert [show(None) for name, show in formats.FILTERS.items() if name != "list_of"] == [""] * 7
