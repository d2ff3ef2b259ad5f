"""Options that several commands share."""

from pathlib import Path

import click

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the embedded database.  [default: $DATA, else .comanda]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
