"""Choices of forms with names of a language."""

from comanda.basics.money import get_exponent
from comanda.web.languages import locale_choices


def test_countries_have_names_in_a_language():
    assert ("PT", "Portugal") in locale_choices.list_countries()
    assert ("DE", "Alemanha") in locale_choices.list_countries("pt")
    assert locale_choices.list_countries("no such language") == locale_choices.list_countries("en")


def test_currencies_are_those_that_stores_can_have():
    codes = [code for code, _ in locale_choices.list_currencies()]

    assert {"EUR", "USD", "JPY", "KWD"} <= set(codes)
    assert "DEM" not in codes
    assert all(get_exponent(code) >= 0 for code in codes)


def test_time_zones_are_named_after_places():
    names = [name for name, _ in locale_choices.list_time_zones()]

    assert names[0] == "UTC"
    assert ("Europe/Lisbon", "Europe/Lisbon") in locale_choices.list_time_zones()
    assert not any(name.startswith("Etc/") for name in names)
