"""Languages of messages."""

import pytest
from comanda_notifications.services.languages import list_candidates, normalize_tag


@pytest.mark.parametrize(
    ("language", "country", "found"),
    [
        (None, None, ["en"]),
        ("pt-BR", None, ["pt-BR", "pt", "en"]),
        ("PT_br", "DE", ["pt-BR", "pt", "de-DE", "de", "en"]),
        ("zh-hant-tw", None, ["zh-Hant-TW", "zh-Hant", "zh", "en"]),
        ("de-CH-1996, fr;q=0.9, *;q=0.1", None, ["de-CH", "de", "fr", "en"]),
        ("fr;q=0.2, es;q=0.8, it;q=0", "PT", ["es", "fr", "pt-PT", "pt", "en"]),
        (None, "MX", ["es-MX", "es", "en"]),
        ("english", "US", ["en"]),
        ("\0, ;;;=, q=9, \u0661", "ZZ", ["en"]),
        ("a" * 100_000, None, ["en"]),
    ],
)
def test_candidates_are_recipient_country_english(language, country, found):
    assert list_candidates(language, country) == found


@pytest.mark.parametrize(
    ("tag", "spelled"),
    [("PT-br", "pt-BR"), ("zh-HANT", "zh-Hant"), ("es-419", "es-419"), ("xx", None), ("english", None),
     ("p\u0307t", None), ("pt-BR-x-y", None), ("", None), ("pt\n", None)],
)  # fmt: skip
def test_tag_is_normalized(tag, spelled):
    assert normalize_tag(tag) == spelled
