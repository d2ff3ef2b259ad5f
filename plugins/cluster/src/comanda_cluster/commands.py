"""`comanda distribute` and `comanda partitions`."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from comanda.cli import call_in, data_option, database_url, installation, json_option, read_installed_settings, upgrade
from comanda.contracts import LogTable, ModelSet

from comanda_cluster.services.distribution import steps
from comanda_cluster.services.partitions import conversion, periods, upkeep
from comanda_cluster.services.partitions.catalog import LogState, read_state
from comanda_cluster.services.partitions.sessions import open_session


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; print the plan, and exit with 1 if something prevents it.")
@json_option
@data_option
def distribute(check: bool, as_json: bool, data: Path | None) -> None:
    """Distribute the database over a Citus cluster.

    The rows of each owner are on one node. DATABASE_URL, or DATABASE_DIRECT_URL, is the coordinator. Stop all other
    processes first, and make a backup. After an interruption run it again. --json is for --check.
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


@click.command()
@click.argument("tables", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; print the tables and their partitions.")
@json_option
@data_option
def partitions(tables: Sequence[str], check: bool, as_json: bool, data: Path | None) -> None:
    """Partition log tables by week or month.

    All of them or those that are named, while orders are placed. From then on workers create partitions ahead, and drop
    those in which nothing is kept any more. After an interruption run it again. --json is for --check.
    """
    settings = read_installed_settings(data)
    with installation(settings, migrated=not check, wait_seconds=settings.startup_timeout_seconds) as made:
        known = upkeep.get_log_tables(made.registry.models)
        if unknown := [name for name in tables if name not in known]:
            raise click.UsageError(f"{unknown[0]} is not one of: {', '.join(known)}.")
        chosen = [table for name, table in known.items() if name in tables or not tables]
        url = database_url(made)
        call_in(made, lambda: _print_state(url, chosen, as_json=as_json) if check else _partition(url, chosen))


async def _partition(url: str, tables: Sequence[LogTable]) -> None:
    async for line in upkeep.partition_tables(url, tables):
        click.echo(line)


async def _print_state(url: str, tables: Sequence[LogTable], *, as_json: bool) -> None:
    problems: list[str] = []
    records: list[dict[str, object]] = []
    async with open_session(url) as connection:
        for table in tables:
            problems += await conversion.find_problems(connection, table)
            state = await read_state(connection, table)
            if state is None:
                continue
            if as_json:
                records.append(_to_record(table, state))
                continue
            how = f"by {table.period}" if state.is_partitioned else f"to be partitioned by {table.period}"
            days = table.retention().days
            click.echo(f"{table.name:<34} {how}, rows are kept for {days} days")
            if not state.is_partitioned:
                click.echo(f"  {max(state.rows, 0):>12,} rows {_to_mebibytes(state.bytes)}")
            for each in state.partitions:
                mark = " (receives rows)" if each == state.current else ""
                kept_until = periods.get_end(table.period, each.start) + table.retention()
                click.echo(
                    f"  {each.name:<32} ids {each.lower:>14} … {each.upper - 1:<14} {max(each.rows, 0):>12,} rows"
                    f" {_to_mebibytes(each.bytes)}  until {kept_until}{mark}"
                )
            for name in state.detached:
                click.echo(f"  {name:<32} detached, to be dropped")
    if as_json:
        click.echo(json.dumps({"tables": records, "problems": problems}, default=str))
    for sentence in [] if as_json else problems:
        click.echo(sentence, err=True)
    if problems:
        raise click.exceptions.Exit(1)


def _to_record(table: LogTable, state: LogState) -> dict[str, object]:
    return {
        "table": table.name,
        "period": table.period,
        "retention_days": table.retention().days,
        "is_partitioned": state.is_partitioned,
        "rows": max(state.rows, 0),
        "bytes": state.bytes,
        "partitions": [asdict(each) for each in state.partitions],
        "detached": state.detached,
    }


def _to_mebibytes(size: int) -> str:
    return f"{size / 2**20:>10,.1f} MiB"
