"""Settings come from the environment, and say which of them is wrong."""

from pathlib import Path

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.contracts.settings import PluginSettings
from comanda.platform.settings import Settings, read_settings


class GardenSettings(PluginSettings):
    beds: int = 3
    tools: list[str] = []


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL", "DATA", "PORT", "COMANDA_DISABLED_PLUGINS", "COMANDA_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_empty_environment_is_enough():
    settings = read_settings(Settings)

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

    assert getattr(read_settings(Settings), field) == expected


def test_command_line_takes_precedence(monkeypatch):
    monkeypatch.setenv("PORT", "9000")

    assert read_settings(Settings, port=9001).port == 9001
    assert read_settings(Settings, port=None).port == 9000


@pytest.mark.parametrize("value", ["", " ", "\t\n"])
@pytest.mark.parametrize(
    ("variable", "field", "default"),
    [
        ("DATABASE_URL", "database_url", None),
        ("DATABASE_DIRECT_URL", "database_direct_url", None),
        ("DATABASE_REPLICA_URL", "database_replica_url", None),
        ("REDIS_URL", "redis_url", None),
        ("DATA", "data", Path(".comanda")),
        ("PORT", "port", 8000),
        ("COMANDA_PUBLIC_URL", "public_url", None),
        ("COMANDA_POOL_SIZE", "pool_size", 10),
        ("COMANDA_LOG_LEVEL", "log_level", "info"),
    ],
)
def test_an_empty_variable_counts_as_unset(monkeypatch, folder, variable, field, default, value):
    monkeypatch.setenv(variable, value)

    assert getattr(read_settings(Settings), field) == default


def test_an_empty_variable_of_a_plugin_counts_as_unset(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_BEDS", "")

    assert read_settings(GardenSettings, "COMANDA_ROSE_").beds == 3


def test_an_empty_variable_does_not_hide_its_second_name(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", " ")
    monkeypatch.setenv("COMANDA_DATABASE_URL", "postgres://db/x")

    assert read_settings(Settings).database_url == "postgres://db/x"


def test_a_wrong_value_is_named_by_the_variable_that_holds_it(monkeypatch):
    monkeypatch.setenv("PORT", "http")

    with pytest.raises(InvalidSettings, match=r"^PORT: Input should be a valid integer"):
        read_settings(Settings)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("COMANDA_PORT", "99999"),
        ("COMANDA_PORT", "http"),
        ("COMANDA_REQUESTS_PER_MINUTE", "0"),
        ("COMANDA_LOG_FORMAT", "xml"),
        ("COMANDA_POOL_SIZE", "1"),
        ("COMANDA_LOG_LEVEL", "loud"),
        ("COMANDA_MAP_TILES_URL", "https://tiles.example/{z}/{x}.png"),
        ("COMANDA_MAP_TILES_URL", "https://tiles.example; script-src */{z}/{x}/{y}.png"),
    ],
)
def test_a_value_that_does_not_validate_is_named(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)

    with pytest.raises(InvalidSettings) as stopped:
        read_settings(Settings)

    assert variable in str(stopped.value)
    assert "\n" not in str(stopped.value)


def test_a_plugins_settings_are_named_under_its_prefix(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_BEDS", "many")

    with pytest.raises(InvalidSettings, match="COMANDA_ROSE_BEDS: "):
        read_settings(GardenSettings, "COMANDA_ROSE_")


def test_a_list_that_is_not_json_is_named_too(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_TOOLS", "spade")

    with pytest.raises(InvalidSettings, match="tools"):
        read_settings(GardenSettings, "COMANDA_ROSE_")


@pytest.mark.parametrize("variable", ["DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"])
def test_addresses_beside_the_database_need_its_own(monkeypatch, variable):
    monkeypatch.setenv(variable, "postgres://db/x")

    with pytest.raises(InvalidSettings, match=rf"^{variable} is .* needs"):
        read_settings(Settings)


def test_sessions_go_around_the_pooler(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://pooler/x")
    assert read_settings(Settings).session_url == "postgres://pooler/x"

    monkeypatch.setenv("DATABASE_DIRECT_URL", "postgres://db/x")
    assert read_settings(Settings).session_url == "postgres://db/x"
