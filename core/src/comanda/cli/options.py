"""Options shared by commands."""

import os
from contextlib import suppress
from pathlib import Path

import click

from comanda.platform import data_folder

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder.  [default: $DATA, else the last `comanda run --data` here, else .comanda]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def get_default_folder() -> Path | None:
    """Return the default data folder, or None if the environment sets one: `comanda run` ignores earlier choices."""
    named = any(os.environ.get(name, "").strip() for name in ("DATA", "COMANDA_DATA"))
    return None if named else data_folder.DEFAULT_FOLDER


def is_folder_named(data: Path | None) -> bool:
    """Return whether ``--data`` or a variable of the environment names the data folder."""
    return data is not None or get_default_folder() is None


def save_data_choice(data: Path | None) -> None:
    """Save the folder of ``--data`` for later commands here; without it, and without a variable, delete the choice."""
    with suppress(OSError):  # the working directory may not be writable
        if data is not None:
            data_folder.save_choice(data)
        elif get_default_folder() is not None:
            data_folder.delete_choice()
