"""`comanda migrate` and `comanda migrations new`."""

import asyncio
import json
from pathlib import Path

import click
from comanda_migrations import generate, runner

from comanda.basics.startup_errors import UnknownReference
from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, is_folder_named, json_option
from comanda.cli.session import database_url, installation, load_runtime, upgrade


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if migrations are pending.")
@json_option
@data_option
def migrate(check: bool, as_json: bool, data: Path | None) -> None:
    """Apply pending migrations of core and all plugins. A data folder that --data or DATA names may be new."""
    settings = read_installed_settings(data)
    wait, may_create = settings.startup_timeout_seconds, is_folder_named(data) and not check
    with installation(settings, migrated=False, wait_seconds=wait, may_create=may_create) as made:
        url, histories = database_url(made), made.registry.models
        waiting = asyncio.run(runner.pending(url, histories)) if check else []
        applied = [] if check else upgrade(made)
    if as_json:
        rows = [{"app": step.app, "version": step.version, "is_applied": False} for step in waiting]
        rows += [{"app": done.app, "version": done.version, "is_applied": True} for done in applied]
        click.echo(json.dumps(rows))
    else:
        for step in waiting:
            click.echo(f"pending  {step.app:<12} {step.version}")
        for done in applied:
            click.echo(f"applied  {done.app:<12} {done.version}  ({done.seconds:.2f} s)")
        if not waiting:
            click.echo("The database is up to date.")
    if waiting:
        raise click.exceptions.Exit(1)


@click.group()
def migrations() -> None:
    """Generate migrations from models."""


@migrations.command()
@click.argument("app")
@click.argument("name")
@click.option("--empty", is_flag=True, help="Without statements, for those that you write yourself.")
def new(app: str, name: str, empty: bool) -> None:
    """Generate the next migration of APP, such as kds; NAME describes the change, such as "add station".

    The file is an SQL draft to review, or several if orders must not wait for the change. No database is needed.
    """
    known = {models_of.app: models_of for models_of in load_runtime().registry.models}
    if app not in known:
        raise UnknownReference(f"No installed plugin has models of the app {app}. Known apps: {', '.join(known)}.")
    if empty:
        click.echo(f"Write the statements of {generate.empty_migration(known[app], name)}")
        return
    written = generate.new_migration(known[app], name)
    for path in written:
        click.echo(f"Review {path}")
    if not written:
        click.echo(f"Nothing changed in the models of {app}.")
