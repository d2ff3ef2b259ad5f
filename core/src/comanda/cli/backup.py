"""`comanda backup` and `comanda restore`."""

import asyncio
from pathlib import Path

import click
from comanda_migrations import runner

from comanda.backups.creation import write_backup
from comanda.backups.restoration import restore_backup
from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, is_folder_named
from comanda.cli.session import database_url, installation

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=FILE)
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Back up the database, and its files in the data folder, into the new FILE.

    Servers may keep running. The file contains keys and personal data; only this user can read it.
    """
    with installation(read_installed_settings(data), migrated=False) as made:
        manifest = asyncio.run(write_backup(file, database_url(made), made.settings.data))
    size = file.stat().st_size / 1e6
    click.echo(f"Wrote {file}: {size:.1f} MB, Comanda {manifest.comanda}, PostgreSQL {manifest.postgres_major}.")


@click.command()
@click.argument("file", type=FILE)
@click.option("--replace", is_flag=True, help="Replace the current contents of the database and the data folder.")
@data_option
def restore(file: Path, replace: bool, data: Path | None) -> None:
    """Restore FILE, which `comanda backup` created, while no server is running.

    Either everything is restored or nothing. A database that is not empty requires --replace. A data folder that
    --data or DATA names may be new.
    """
    settings = read_installed_settings(data)
    with installation(settings, migrated=False, may_create=is_folder_named(data)) as made:
        url, histories = database_url(made), made.registry.models
        manifest = asyncio.run(restore_backup(file, url, made.settings.data, histories, replace=replace))
        waiting = len(asyncio.run(runner.pending(url, histories)))
    click.echo(f"Restored {file} of {manifest.created_at}, Comanda {manifest.comanda}.")
    if waiting:
        click.echo(f"{waiting} migrations are pending: the next start applies them, or run `comanda migrate`.")
