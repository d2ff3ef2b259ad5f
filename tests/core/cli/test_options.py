"""A data folder that `comanda run` was given is found again by other commands in the same working directory."""

import json
from dataclasses import replace

import pytest
from comanda.basics.startup_errors import StartupError
from comanda.cli import environment_file
from comanda.devkit.testing import Installation, create_migrated_data_folder


@pytest.fixture
def checkout(installation, tmp_path, monkeypatch):
    """Run commands in a folder of their own, with no variable that names the data folder."""
    monkeypatch.chdir(tmp_path)
    return Installation(installation.data, {"DATA": ""})


def test_a_data_folder_given_to_run_is_found_by_the_commands_after_it(checkout, tmp_path):
    # Beside the owners of other tests no demo is filled in.
    checkout = replace(checkout, data=create_migrated_data_folder())
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
    with checkout.running("serve") as server:
        assert server.printed().startswith(
            f"Creating a database in {tmp_path / '.comanda'}. Another data folder is named by --data or DATA.\n"
        )


def test_run_fills_no_demo_into_the_database_of_a_server(checkout, new_migrated_database):
    url = new_migrated_database("comanda_test_run_demo")
    with checkout.running("run", DATABASE_URL=url) as server:
        assert "no demo data is filled in without --demo" in server.printed()
        assert "/setup/" in server.printed()
    assert json.loads(checkout.run("owner", "list", "--json", DATABASE_URL=url).stdout) == []

    with checkout.running("run", "--demo", DATABASE_URL=url) as server:
        assert "Demo tokens" in server.printed()
    # What has a demo gets what is new in it.
    with checkout.running("run", DATABASE_URL=url) as server:
        assert "Demo tokens" in server.printed()


@pytest.mark.parametrize(
    "arguments",
    [
        ("owner", "create", "ana@example.com"),
        ("token", "list", "--owner", "ana@example.com"),
        ("backup", "today.zip"),
        ("restore", "today.zip"),
        ("migrate",),
        ("demo",),
        ("secrets", "rotate"),
        ("plugins", "remove", "kiosk", "--purge"),
    ],
)
def test_a_command_without_a_database_creates_none(checkout, tmp_path, arguments):
    finished = checkout.run(*arguments)

    assert finished.returncode == 1
    assert finished.stdout == ""
    assert finished.stderr.startswith(f"Error: There is no database in {tmp_path / '.comanda'}, and DATABASE_URL is")
    assert finished.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_named_folder_without_a_database_is_refused(installation, tmp_path):
    finished = installation.run("owner", "create", "ana@example.com", "--data", str(tmp_path / "new"))

    assert finished.returncode == 1
    assert f"There is no database in {tmp_path / 'new'}" in finished.stderr
    assert not (tmp_path / "new").exists()


def test_an_environment_file_names_the_database(installation, checkout, tmp_path):
    file = tmp_path / "comanda.env"
    file.write_text(f"# The server's\nDATA='{installation.data}'\n; COMANDA_PORT=1\n\nPORT = 8123\n")

    made = checkout.run("--env-file", str(file), "owner", "create", "eva@example.com")
    listed = json.loads(checkout.run("--env-file", str(file), "settings", "--json").stdout)

    assert made.returncode == 0, made.stderr
    assert "eva@example.com" in installation.run("owner", "list").stdout
    assert {row["value"] for row in listed if row["variable"] in {"DATA", "PORT"}} == {str(installation.data), 8123}


@pytest.fixture
def server_file(tmp_path, monkeypatch):
    """The file of a server on this machine, for a command that is started in an empty folder."""
    monkeypatch.chdir(tmp_path)
    # Set, to be reset: the file sets them.
    for name in ("DATA", "DATABASE_URL"):
        monkeypatch.setenv(name, "")
    file = tmp_path / "server.env"
    monkeypatch.setattr(environment_file, "DEFAULT_FILE", file)
    return file


def test_the_settings_of_the_server_are_read_where_there_is_no_database(server_file, tmp_path, capsys):
    server_file.write_text("DATABASE_URL=postgres://db/comanda\nDATA=/srv/comanda\n")

    settings = environment_file.read_installed_settings(None)

    assert (settings.database_url, str(settings.data)) == ("postgres://db/comanda", "/srv/comanda")
    assert capsys.readouterr().err == f"Using the settings of {server_file}.\n"


@pytest.mark.parametrize("kind", ["option", "variable", "folder"])
def test_the_settings_of_the_server_are_not_read_for_another_database(server_file, tmp_path, monkeypatch, kind):
    server_file.write_text("DATABASE_URL=postgres://db/comanda\n")
    folder = tmp_path / ".comanda"
    if kind == "folder":
        (folder / "postgres").mkdir(parents=True)
    if kind == "variable":
        monkeypatch.setenv("DATA", str(folder))

    settings = environment_file.read_installed_settings(folder if kind == "option" else None)

    assert settings.database_url is None
    assert settings.data.resolve() == folder


def test_settings_of_the_server_that_cannot_be_read_are_an_error(server_file, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", str(server_file))

    monkeypatch.setattr(type(server_file), "read_text", refuse)

    with pytest.raises(StartupError, match="can be read by root only"):
        environment_file.read_installed_settings(None)


def test_a_folder_named_by_a_variable_is_not_kept_for_later(installation, checkout, tmp_path):
    with checkout.running("run", DATA=str(checkout.data)):
        pass

    assert list(tmp_path.iterdir()) == []
