"""`comanda distribute`."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import click

from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, json_option
from comanda.cli.session import database_url, installation, upgrade
from comanda.contracts.model_sets import ModelSet
from comanda.platform.db.distribution import steps


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; print the plan, and exit with 1 if something prevents it.")
@json_option
@data_option
def distribute(check: bool, as_json: bool, data: Path | None) -> None:
    """Distribute the database by owner over the nodes of a Citus cluster.

    DATABASE_URL, or DATABASE_DIRECT_URL, is the coordinator. Stop all other processes first, and make a backup.
    After an interruption run it again. --json is for --check.
    """
    settings = read_installed_settings(data)
    with installation(settings, migrated=False, wait_seconds=settings.startup_timeout_seconds) as made:
        if check:
            asyncio.run(_print_plan(database_url(made), as_json=as_json))
        else:
            upgrade(made)
            asyncio.run(_distribute(database_url(made), made.registry.models))


async def _print_plan(url: str, *, as_json: bool) -> None:
    async with steps.open_session(url) as connection:
        plan = await steps.read_plan(connection)
        problems = await steps.find_problems(connection, plan)
    if as_json:
        tables = [
            {"table": each.table.name, "placement": each.placement, "reason": each.reason, "is_done": each.is_done}
            for each in plan.tables
        ]
        click.echo(json.dumps({"tables": tables, "problems": list(problems)}))
    for each in [] if as_json else plan.tables:
        state = "done" if each.is_done else "pending"
        click.echo(f"{state:<8} {each.placement:<12} {each.table.name:<36} {each.reason}")
    for sentence in [] if as_json else problems:
        click.echo(sentence, err=True)
    if problems:
        raise click.exceptions.Exit(1)
    if not as_json:
        click.echo(f"{len(plan.pending)} of {len(plan.tables)} tables are to be distributed.")


async def _distribute(url: str, models: Sequence[ModelSet]) -> None:
    async with steps.open_session(url) as connection:
        async for line in steps.distribute(connection, models):
            click.echo(line)
    click.echo("The database is distributed.")
