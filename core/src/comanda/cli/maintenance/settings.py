"""`comanda settings`."""

import itertools
import json
from pathlib import Path
from typing import Any

import click

from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, json_option
from comanda.cli.session import load_runtime
from comanda.operations.diagnostics.effective_settings import EffectiveSetting, list_settings

COLUMNS = ("variable", "value", "default", "source", "description")
# Longer values shift the following columns in their own line only.
MAX_VALUE_WIDTH = 40


@click.command()
@json_option
@data_option
def settings(as_json: bool, data: Path | None) -> None:
    """List the settings of core and plugins: value, default, source and description. Secrets are masked."""
    effective = read_installed_settings(data)
    rows = list_settings(effective, load_runtime().registry, {"data"} if data is not None else frozenset())
    if as_json:
        click.echo(json.dumps([row.record() for row in rows], indent=2))
        return
    cells = [_format_cells(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, COLUMNS, strict=True)]
    widths = [widths[0], *(min(MAX_VALUE_WIDTH, width) for width in widths[1:])]
    click.echo(click.style(_format_line(COLUMNS, widths), bold=True))
    for plugin, group in itertools.groupby(zip(rows, cells, strict=True), key=lambda pair: pair[0].plugin):
        click.echo(click.style(f"\n{plugin}", bold=True))
        for _, line in group:
            click.echo(_format_line(line, widths))


def _format_cells(row: EffectiveSetting) -> tuple[str, ...]:
    return (row.variables[0], _format_value(row.value), _format_value(row.default), row.source.value, row.description)


def _format_line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def _format_value(value: Any) -> str:
    match value:
        case None | "":
            return "unset"
        case bool():
            return "yes" if value else "no"
        case []:
            return "none"
        case list():
            return ", ".join(map(str, value))
        case float():
            return f"{value:g}"
    return str(value)
