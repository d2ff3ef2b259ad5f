"""The settings of a server for commands beside it: read from the file that systemd reads for the server."""

import os
from pathlib import Path
from typing import Final

import click

from comanda.basics.startup_errors import StartupError
from comanda.cli.options import is_folder_named
from comanda.platform.data_folder import has_database
from comanda.platform.settings import Settings, read_settings

DEFAULT_FILE: Final = Path("/etc/comanda/comanda.env")


def load_environment_file(file: Path) -> None:
    """Set the variables of a file with lines ``NAME=value``, as systemd reads it, instead of those that are set.

    Raises ``OSError`` if the file cannot be read.
    """
    for line in file.read_text(encoding="utf-8").splitlines():
        name, is_set, value = line.partition("=")
        if is_set and not name.lstrip().startswith(("#", ";")):
            value = value.strip()
            is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
            os.environ[name.strip()] = value[1:-1] if is_quoted else value


def read_installed_settings(data: Path | None) -> Settings:
    """Return the settings of the installation that a command works on, which it must not create.

    If neither an option nor a variable names one, and the data folder here has no database, they are those of the
    server on this machine. Raises ``StartupError`` if these cannot be read.
    """
    settings = read_settings(Settings, data=data)
    if is_folder_named(data) or settings.database_url is not None or has_database(settings.data):
        return settings
    try:
        load_environment_file(DEFAULT_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return settings
    except PermissionError as error:
        raise StartupError(
            f"There is no database in {settings.data.resolve()}, and {DEFAULT_FILE} with the settings of the server "
            "can be read by root only. Run the command with sudo, or name a data folder with --data."
        ) from error
    click.echo(f"Using the settings of {DEFAULT_FILE}.", err=True)
    return read_settings(Settings)
