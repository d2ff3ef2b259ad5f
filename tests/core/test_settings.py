"""Settings come from the environment, and say which of them is wrong."""

import pytest
from comanda.settings import PluginSettings, Settings, read
from comanda.startup import InvalidSettings


class GardenSettings(PluginSettings):
    beds: int = 3
    tools: list[str] = []


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL", "DATA", "PORT", "COMANDA_DISABLED_PLUGINS", "COMANDA_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


def test_an_empty_environment_is_enough():
    settings = read(Settings)

    assert settings.database_url is None
    assert settings.redis_url is None
    assert settings.requests_per_minute == 120
    assert settings.site_url == "http://localhost:8000"
    assert settings.development is False


@pytest.mark.parametrize(
    ("variable", "value", "field", "expected"),
    [
        ("DATABASE_URL", "postgres://db/x", "database_url", "postgres://db/x"),
        ("COMANDA_DATABASE_URL", "postgres://db/y", "database_url", "postgres://db/y"),
        ("REDIS_URL", "redis://cache", "redis_url", "redis://cache"),
        ("PORT", "9000", "port", 9000),
        ("COMANDA_DISABLED_PLUGINS", "webhooks, restaurant,", "disabled_plugins", ["webhooks", "restaurant"]),
        ("COMANDA_DISABLED_PLUGINS", "", "disabled_plugins", []),
        ("COMANDA_CORS_ORIGINS", "https://a.example", "cors_origins", ["https://a.example"]),
        ("COMANDA_PUBLIC_URL", "https://eat.example/", "site_url", "https://eat.example"),
    ],
)
def test_the_environment_is_read(monkeypatch, variable, value, field, expected):
    monkeypatch.setenv(variable, value)

    assert getattr(read(Settings), field) == expected


def test_what_the_command_line_says_wins(monkeypatch):
    monkeypatch.setenv("PORT", "9000")

    assert read(Settings, port=9001).port == 9001
    assert read(Settings, port=None).port == 9000


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("COMANDA_PORT", "99999"),
        ("COMANDA_PORT", "http"),
        ("COMANDA_REQUESTS_PER_MINUTE", "0"),
        ("COMANDA_LOG_FORMAT", "xml"),
        ("COMANDA_POOL_SIZE", "1"),
    ],
)
def test_a_value_that_does_not_validate_is_named(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)

    with pytest.raises(InvalidSettings) as stopped:
        read(Settings)

    assert variable in str(stopped.value)
    assert "\n" not in str(stopped.value)


def test_a_plugins_settings_are_named_under_its_prefix(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_BEDS", "many")

    with pytest.raises(InvalidSettings, match="COMANDA_ROSE_BEDS: "):
        read(GardenSettings, "COMANDA_ROSE_")


def test_a_list_that_is_not_json_is_named_too(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_TOOLS", "spade")

    with pytest.raises(InvalidSettings, match="tools"):
        read(GardenSettings, "COMANDA_ROSE_")
