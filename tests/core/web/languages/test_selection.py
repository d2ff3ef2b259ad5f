import pytest
from comanda.web.languages.selection import (
    LANGUAGE_COOKIE,
    LANGUAGES,
    choose_language,
    current_language,
    find_language,
    use_language,
)


def test_arabic_is_written_from_right_to_left():
    assert list(LANGUAGES) == ["en", "pt", "es", "fr", "de", "ar"]
    assert [code for code, language in LANGUAGES.items() if language.direction == "rtl"] == ["ar"]


@pytest.mark.parametrize(
    ("tag", "code"), [("pt-BR", "pt"), ("ar_EG", "ar"), ("DE", "de"), ("zh", None), ("", None), (None, None)]
)
def test_tag_is_found_whatever_its_country(tag, code):
    found = find_language(tag)

    assert (found and found.code) == code


@pytest.mark.parametrize(
    ("cookie", "store", "accepted", "code"),
    [
        ("ar", "pt", "fr", "ar"),
        (None, "pt", "fr", "pt"),
        ("xx", None, "fr", "fr"),
        (None, None, "de-CH, en;q=0.8", "de"),
        (None, None, "en;q=0.5, es-MX;q=0.9", "es"),
        (None, None, "it, pt;q=0, *;q=0.1", "en"),
        (None, None, "", "en"),
        (None, None, ";;;,=,q=x" * 200, "en"),
    ],
)
def test_choice_of_person_precedes_store_and_browser(runtime, cookie, store, accepted, code):
    headers = {"accept-language": accepted} | ({"cookie": f"{LANGUAGE_COOKIE}={cookie}"} if cookie else {})

    assert choose_language(headers, store).code == code


def test_language_lasts_as_long_as_the_block():
    with use_language("fr-CA"):
        assert current_language().code == "fr"
        with use_language("unknown"):
            assert current_language().code == "en"

    assert current_language().code == "en"
