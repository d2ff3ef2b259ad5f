"""Commands that install and test a new plugin."""

import sys
from pathlib import Path

import pytest
from comanda.devkit.authoring import environment


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An environment with nothing on its PATH, no pip and no uv, and functions that bring these."""
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.delenv("UV", raising=False)
    return tmp_path


def program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def told(folder="there is/rose"):
    return environment.list_commands(Path(folder))


def test_commands_use_the_pip_that_comes_with_python_where_there_is_no_other(elsewhere):
    assert told() == [
        "cd 'there is/rose'",
        f"{elsewhere}/env/bin/python -m ensurepip",
        f"{elsewhere}/env/bin/python -m pip install -e '.[test]'",
        f"{elsewhere}/env/bin/python -m pytest",
        f"{elsewhere}/env/bin/comanda plugins check .",
    ]


def test_commands_use_pip_where_it_is(elsewhere, monkeypatch):
    monkeypatch.setattr(environment, "find_spec", lambda name: object())

    assert told()[1:2] == [f"{elsewhere}/env/bin/python -m pip install -e '.[test]'"]


@pytest.mark.parametrize(("place", "name"), [("empty/uv", "uv"), (".uv/bin/uv", "{}/.uv/bin/uv")])
def test_commands_use_uv_on_the_path_or_beside_the_environment(elsewhere, place, name):
    program(elsewhere / place)

    assert told()[1:2] == [f"{name.format(elsewhere)} pip install --python {elsewhere}/env/bin/python -e '.[test]'"]


def test_commands_are_short_in_an_active_environment(elsewhere, monkeypatch):
    for name in ("python", "comanda"):
        program(elsewhere / "env" / "bin" / name)
    monkeypatch.setenv("PATH", str(elsewhere / "env" / "bin"))

    assert told("rose")[1:] == [
        "python -m ensurepip", "python -m pip install -e '.[test]'", "python -m pytest", "comanda plugins check .",
    ]  # fmt: skip
