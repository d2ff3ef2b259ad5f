"""Settings that stop the startup, each with a sentence about what is wrong."""

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.platform import read_settings
from comanda_mobile.settings import MobileSettings, parse_version


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("MIN_VERSION", "newest", "must be a version, such as 1.4.0"),
        ("IOS_LATEST_VERSION", "0.9", "older than the oldest"),
        ("IOS_STORE_URL", "http://apps.example", "must begin with https://"),
        ("FEATURES", "Dark Mode", "must be names such as dark_mode"),
        ("LOCALES", "english", "must be language tags such as pt-BR"),
        ("SUPPORT_EMAIL", "nobody", "SUPPORT_EMAIL"),
        ("START_PATH", "https://evil.example/", "must be a path of this site"),
        ("START_PATH", "//evil.example/", "must be a path of this site"),
        ("RULES_FILE", "/nowhere/rules.json", "cannot be read"),
    ],
)
def test_invalid_setting_stops_the_startup(monkeypatch, name, value, sentence):
    monkeypatch.setenv(f"COMANDA_MOBILE_{name}", value)

    with pytest.raises(InvalidSettings, match=sentence):
        read_settings(MobileSettings, "COMANDA_MOBILE_")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no JSON"),
        ("{}", "invalid rule"),
        ('[{"patterns": [], "properties": {}}]', "invalid rule at 0.patterns"),
        ('[{"patterns": ["("], "properties": {}}]', "is no regular expression"),
        ('[{"patterns": ["a"], "properties": {}, "platform": "windows"}]', "invalid rule at 0.platform"),
    ],
)
def test_invalid_rules_stop_the_startup(monkeypatch, tmp_path, text, sentence):
    file = tmp_path / "rules.json"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("COMANDA_MOBILE_RULES_FILE", str(file))

    with pytest.raises(InvalidSettings, match=sentence):
        read_settings(MobileSettings, "COMANDA_MOBILE_")


@pytest.mark.parametrize(("older", "newer"), [("1.9", "1.10"), ("1.0.9", "2"), ("1", "1.0.1")])
def test_versions_are_compared_by_number(older, newer):
    assert parse_version(older) < parse_version(newer)
    assert parse_version("1.0") == parse_version("1")
