"""The saved choice of a data folder."""

from pathlib import Path

import pytest
from comanda.platform import data_folder
from comanda.platform.settings import Settings, read_settings


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL", "DATA", "PORT", "COMANDA_DISABLED_PLUGINS", "COMANDA_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_chosen_data_folder_is_found_again_until_another_is_named(monkeypatch, folder):
    chosen = folder / "elsewhere"
    chosen.mkdir()
    data_folder.save_choice(chosen)

    assert read_settings(Settings).data == chosen
    assert read_settings(Settings, data=Path("named")).data == Path("named")
    monkeypatch.setenv("COMANDA_DATA", "variable")
    assert read_settings(Settings).data == Path("variable")
    monkeypatch.delenv("COMANDA_DATA")
    chosen.rmdir()
    assert read_settings(Settings).data == Path(".comanda")
    chosen.mkdir()
    data_folder.save_choice(Path(".comanda"))
    assert read_settings(Settings).data == Path(".comanda")
    assert list((folder / ".comanda").iterdir()) == []
