"""Every setting is listed with its value, its default and where it comes from, and no secret is shown."""

import types
from pathlib import Path

import pytest
from comanda import hookimpl
from comanda.composition import registry
from comanda.contracts.registry import Plugin
from comanda.contracts.settings import PluginSettings
from comanda.operations.diagnostics.effective_settings import MASK, list_known_variables, list_settings
from comanda.platform import data_folder
from comanda.platform.settings import Settings, read_settings
from pydantic import Field, SecretStr


class GardenSettings(PluginSettings):
    beds: int = Field(default=3, description="How many beds there are.")
    gate_key: str | None = Field(default=None, description="What opens the gate.")
    water_url: str = Field(default="https://well.example", description="Where water comes from.")
    gardener: SecretStr | None = Field(default=None, description="Who must not be known.")
    tools: list[str] = Field(default=["spade"], description="What is used.")


def plugin(name, **hooks):
    module = types.ModuleType(f"fake_{name}")
    for hook, declared in hooks.items():
        setattr(module, hook, hookimpl(lambda declared=declared: declared))
    return Plugin(name, f"comanda-{name}", "1.0", (module,))


@pytest.fixture
def garden(monkeypatch, tmp_path):
    """List the settings of core and of a plugin rose, in an empty folder and environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "REDIS_URL", "DATA", "PORT"):
        monkeypatch.delenv(name, raising=False)

    def rows(*given, **overrides):
        found = registry.gather((plugin("rose", register_settings=GardenSettings),))
        listed = list_settings(read_settings(Settings, **overrides), found, given)
        return {(row.plugin, row.name): row for row in listed}

    return rows


def test_setting_has_source(garden, monkeypatch, tmp_path):
    monkeypatch.setenv("COMANDA_ROSE_BEDS", "7")
    monkeypatch.setenv("COMANDA_REDIS_URL", "redis://cache")
    monkeypatch.setenv("COMANDA_PUBLIC_URL", " ")

    rows = garden("port", port=9000)

    shown = {name: (row.value, row.default, row.source.value) for (_, name), row in rows.items()}
    assert shown["beds"] == (7, 3, "environment")
    assert shown["tools"] == (["spade"], ["spade"], "default")
    assert shown["redis_url"] == ("redis://cache", None, "environment")
    assert shown["public_url"] == (None, None, "default")
    assert shown["port"] == (9000, 8000, "command line")
    assert shown["data"] == (".comanda", ".comanda", "default")
    assert rows["rose", "beds"].variables == ("COMANDA_ROSE_BEDS",)
    assert rows["core", "redis_url"].variables == ("REDIS_URL", "COMANDA_REDIS_URL")

    data_folder.save_choice(tmp_path)
    assert (garden()["core", "data"].value, garden()["core", "data"].source) == (str(tmp_path), "file")


def test_no_secret_is_listed(garden, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://u:s3cr3t@db/x")
    monkeypatch.setenv("COMANDA_ROSE_GATE_KEY", "s3cr3t")
    monkeypatch.setenv("COMANDA_ROSE_GARDENER", "s3cr3t")
    monkeypatch.setenv("COMANDA_ROSE_WATER_URL", "https://me:s3cr3t@well.example/x")

    rows = garden()

    assert rows["core", "database_url"].value == f"postgres://u:{MASK}@db/x"
    assert (rows["rose", "gate_key"].value, rows["rose", "gardener"].value) == (MASK, MASK)
    assert rows["rose", "water_url"].value == f"https://me:{MASK}@well.example/x"
    assert "s3cr3t" not in str([row.record() for row in rows.values()])


def test_every_variable_is_known():
    found = list_known_variables(registry.gather((plugin("rose", register_settings=GardenSettings),)))

    assert {"DATABASE_URL", "COMANDA_DATABASE_URL", "COMANDA_POOL_SIZE", "COMANDA_ROSE_BEDS"} <= found
    assert "COMANDA_BEDS" not in found


def test_a_path_is_listed_as_text(garden):
    assert garden(data=Path("there"))["core", "data"].record()["value"] == "there"
