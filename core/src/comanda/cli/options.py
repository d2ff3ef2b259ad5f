"""Options that several commands share."""

import os
from contextlib import suppress
from pathlib import Path

import click

from comanda import data_folder

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the embedded database.  [default: $DATA, else what `comanda run --data` chose here, else .comanda]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def get_default_folder() -> Path | None:
    """Return the default data folder unless the environment names another: `comanda run` follows no earlier choice."""
    named = any(os.environ.get(name, "").strip() for name in ("DATA", "COMANDA_DATA"))
    return None if named else data_folder.DEFAULT_FOLDER


def save_data_choice(data: Path | None) -> None:
    """Keep the folder of ``--data`` for later commands here; without it and without a variable, forget any."""
    with suppress(OSError):  # in a folder that this user may not write to, later commands are told as ever
        if data is not None:
            data_folder.save_choice(data)
        elif get_default_folder() is not None:
            data_folder.delete_choice()
