"""`comanda migrate` and `comanda migrations new`."""

import asyncio
from pathlib import Path

import click
from comanda_migrations import generate, runner

from comanda.cli.options import data_option
from comanda.cli.runtime import load_runtime
from comanda.cli.session import database_url, installation
from comanda.db.upgrade import upgrade_database
from comanda.settings import Settings, read_settings
from comanda.startup_errors import UnknownReference


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if there is something to apply.")
@data_option
def migrate(check: bool, data: Path | None) -> None:
    """Apply every plugin's migrations that the database lacks, core's first."""
    settings = read_settings(Settings, data=data)
    with installation(settings, migrated=False, wait_seconds=settings.startup_timeout_seconds) as made:
        url, histories = database_url(made), made.registry.models
        if check:
            waiting = asyncio.run(runner.pending(url, histories))
            for step in waiting:
                click.echo(f"pending  {step.app:<12} {step.version}")
            if waiting:
                raise click.exceptions.Exit(1)
        else:
            for applied in asyncio.run(upgrade_database(url, made.settings, histories)):
                click.echo(f"applied  {applied.app:<12} {applied.version}  ({applied.seconds:.2f} s)")
        click.echo("The database is up to date.")


@click.group()
def migrations() -> None:
    """Write migrations from models."""


@migrations.command()
@click.argument("app")
@click.argument("name")
def new(app: str, name: str) -> None:
    """Write the next migration of APP, such as kds; NAME says what changes, such as "add station".

    The file is a draft of SQL to review; no database is needed.
    """
    known = {models_of.app: models_of for models_of in load_runtime().registry.models}
    if app not in known:
        raise UnknownReference(f"No plugin brings models of the app {app}. Known are: {', '.join(known)}.")
    written = generate.new_migration(known[app], name)
    click.echo(f"Nothing changed in the models of {app}." if written is None else f"Review {written}")
