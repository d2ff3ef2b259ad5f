"""A data folder that `comanda run` was given is found again by other commands in the same working directory."""

import json

import pytest
from comanda.devkit.testing.processes import Installation


@pytest.fixture
def checkout(installation, tmp_path, monkeypatch):
    """Run commands in a folder of their own, with no variable that names the data folder."""
    monkeypatch.chdir(tmp_path)
    return Installation(installation.data, {"DATA": ""})


def test_a_data_folder_given_to_run_is_found_by_the_commands_after_it(checkout, tmp_path):
    with checkout.running("run", "--data", str(checkout.data)) as server:
        found = checkout.run("demo", "--json")

        assert found.returncode == 0, found.stderr
        assert found.stderr == (
            f"Using the data folder {checkout.data}, which `comanda run` was given here. --data names another.\n"
        )
        told = json.loads(found.stdout)
        assert told["site_url"] == f"http://localhost:{server.port}"
        assert told["tokens"]["owner"] in server.printed()
        [row] = [row for row in json.loads(checkout.run("settings", "--json").stdout) if row["name"] == "data"]
        assert (row["value"], row["source"]) == (str(checkout.data), "file")
    assert [path.name for path in (tmp_path / ".comanda").iterdir()] == ["chosen-folder"]


def test_a_new_database_is_announced_with_its_place(checkout, tmp_path):
    made = checkout.run("owner", "list")

    assert made.returncode == 0, made.stderr
    assert made.stderr == (
        f"Creating a database in {tmp_path / '.comanda'}. Another data folder is named by --data or DATA.\n"
    )


def test_a_folder_named_by_a_variable_is_not_kept_for_later(installation, checkout, tmp_path):
    with checkout.running("run", DATA=str(checkout.data)):
        pass

    assert list(tmp_path.iterdir()) == []
