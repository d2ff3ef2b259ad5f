"""`comanda backup` and `comanda restore`."""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from comanda_migrations import runner
from rich.console import Console
from rich.progress import FileSizeColumn, Progress, TimeElapsedColumn

from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, is_folder_named, json_option
from comanda.cli.session import database_url, installation
from comanda.operations.backups import progress
from comanda.operations.backups.archive import Manifest
from comanda.operations.backups.creation import write_backup
from comanda.operations.backups.restoration import restore_backup

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=FILE)
@json_option
@data_option
def backup(file: Path, as_json: bool, data: Path | None) -> None:
    """Back up the database, and its files in the data folder, into the new FILE.

    Servers may keep running. The file contains keys and personal data; only this user can read it.
    """
    with installation(read_installed_settings(data), migrated=False) as made, _show_progress("Backing up") as advance:
        manifest = asyncio.run(write_backup(file, database_url(made), made.settings.data, advance))
    size = file.stat().st_size
    if as_json:
        click.echo(json.dumps({"file": str(file), "bytes": size, **_to_record(manifest)}))
        return
    click.echo(f"Wrote {file}: {size / 1e6:.1f} MB, Comanda {manifest.comanda}, PostgreSQL {manifest.postgres_major}.")


@click.command()
@click.argument("file", type=FILE)
@click.option("--replace", is_flag=True, help="Replace the current contents of the database and the data folder.")
@json_option
@data_option
def restore(file: Path, replace: bool, as_json: bool, data: Path | None) -> None:
    """Restore FILE, which `comanda backup` created, while no server is running.

    Either everything is restored or nothing. A database that is not empty requires --replace. A data folder that
    --data or DATA names may be new.
    """
    settings = read_installed_settings(data)
    with installation(settings, migrated=False, may_create=is_folder_named(data)) as made:
        url, histories = database_url(made), made.registry.models
        with _show_progress("Restoring") as advance:
            manifest = asyncio.run(restore_backup(file, url, made.settings.data, histories, advance, replace=replace))
        waiting = len(asyncio.run(runner.pending(url, histories)))
    if as_json:
        click.echo(json.dumps({"file": str(file), "pending_migrations": waiting, **_to_record(manifest)}))
        return
    click.echo(f"Restored {file} of {manifest.created_at}, Comanda {manifest.comanda}.")
    if waiting:
        click.echo(f"{waiting} migrations are pending: the next start applies them, or run `comanda migrate`.")


def _to_record(manifest: Manifest) -> dict[str, object]:
    return {"created_at": manifest.created_at, "comanda": manifest.comanda, "postgres_major": manifest.postgres_major}


@contextmanager
def _show_progress(action: str) -> Iterator[progress.Progress]:
    """Show on a terminal how many bytes the block has done, and yield what it tells them to."""
    columns = ("{task.description}", FileSizeColumn(), TimeElapsedColumn())
    is_hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=is_hidden) as shown:
        task = shown.add_task(action, total=None)
        yield lambda count: shown.advance(task, count)
