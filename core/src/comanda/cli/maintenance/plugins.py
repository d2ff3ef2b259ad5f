"""`comanda plugins`: list the installed plugins, create a new one, check one."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from tortoise.models import Model

from comanda.basics.connection_urls import check_database_url
from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, json_option
from comanda.cli.session import load_runtime
from comanda.composition.registry import HOOKS
from comanda.contracts.registry import Registry

if TYPE_CHECKING:
    from comanda.platform.plugin_lifecycle.purge import PurgePlan


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def plugins(context: click.Context, as_json: bool) -> None:
    """List the installed plugins in loading order, with their contributions.

    The commands below are for plugin authors.
    """
    if context.invoked_subcommand is None:
        _list_plugins(as_json)


def _list_plugins(as_json: bool) -> None:
    # Imported late, because the commands for authors need no application.
    from comanda.composition.app import create_app

    made = load_runtime()
    # Pages are checked when they are mounted.
    create_app(made, with_background=False)
    registry = made.registry
    records = [_to_record(registry, number) for number in range(len(registry.plugins))]
    if as_json:
        click.echo(json.dumps(records, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    for record in records:
        console.print(f"[bold]{record['name']}[/]  {record['version']}  ({record['distribution']})")
        for what, names in record["contributes"].items():
            console.print(f"  {what.replace('_', ' '):<18} {len(names):>3}  {_shorten(names)}", markup=False)


@plugins.command("new")
@click.argument("name")
@click.option("--vertical", "kind", flag_value="vertical", help="A store type with item fields and a fulfillment mode.")
@click.option(
    "--feature", "kind", flag_value="feature", default="feature", help="A table, routes and an event.  [default]"
)
@click.option("--mcp", "kind", flag_value="mcp", help="An MCP server for AI agents, with tools.")
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="The parent folder.")
def new_plugin(name: str, kind: str, into: Path) -> None:
    """Create a plugin as a starting point.

    It can be installed right away, and passes its tests and the check.
    """
    # Imported late, because it loads a template engine and the migration generator.
    from comanda.devkit.authoring import environment, names, scaffold

    try:
        folder = scaffold.write_plugin(names.create_names(name), scaffold.ScaffoldKind(kind), into)
    except (names.InvalidPluginName, scaffold.ScaffoldError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Created the {kind} plugin {folder}. Next steps:")
    for command in environment.list_commands(folder):
        click.echo(f"  {command}")
    if missing := environment.list_missing(scaffold.TESTS_NEED[scaffold.ScaffoldKind(kind)]):
        click.echo(f"Its tests need {', '.join(missing)}, which is not installed: install it first.")


def _check_url(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Return a valid PostgreSQL URL, or None for a blank one."""
    try:
        return check_database_url(value) if value and value.strip() else None
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from error


@plugins.command("check")
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
@click.option("--fix", "is_fixed", is_flag=True, help="First rewrite names of Comanda that moved, in tests/ as well.")
@click.option("--static", "is_static", is_flag=True, help="Only read files; run nothing and need no database.")
@click.option(
    "--database-url",
    callback=_check_url,
    help="A PostgreSQL server on which to create a temporary database.  [default: an embedded server]",
)
@click.pass_context
def check_plugin(
    context: click.Context, path: Path, as_json: bool, is_fixed: bool, is_static: bool, database_url: str | None
) -> None:
    """Check the source folder of a plugin.

    Errors and warnings are printed with their fixes. The exit code is 1 if there are errors.
    """
    from comanda.devkit.authoring.checker import check_plugin as check
    from comanda.devkit.authoring.checker import rewrite_plugin
    from comanda.devkit.authoring.findings import list_errors

    for changed in rewrite_plugin(path) if is_fixed else ():
        click.echo(f"Rewrote {changed}", err=as_json)
    found = check(path, server=database_url, is_static=is_static)
    if as_json:
        click.echo(json.dumps([one.record() for one in found], indent=2))
    else:
        for one in found:
            click.echo(f"{one.path}:{one.line}: {one.severity.value}: {one.sentence} [{one.rule}]\n    {one.fix}")
        broken = len(list_errors(found))
        click.echo(f"{_format_count(broken, 'error')}, {_format_count(len(found) - broken, 'warning')}.")
    context.exit(1 if list_errors(found) else 0)


@plugins.command("remove")
@click.argument("name")
@click.option("--purge", "is_purge", is_flag=True, help="Delete what the plugin stored. Required.")
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Only show what would be deleted.")
@click.option("--yes", "is_confirmed", is_flag=True, help="Do not ask.")
@data_option
def remove_plugin(name: str, is_purge: bool, is_dry_run: bool, is_confirmed: bool, data: Path | None) -> None:
    """Delete everything that a plugin stored, after it was uninstalled or disabled.

    Its tables, store settings and migration history are deleted. Stores of its type and orders stay.
    """
    from comanda.cli.session import database_url, installation
    from comanda.platform.plugin_lifecycle.purge import plan_purge, purge

    if not is_purge:
        raise click.UsageError(
            f"A plugin is removed by uninstalling its wheel; what it stored stays. To delete that too: "
            f"comanda plugins remove {name} --purge --dry-run"
        )
    with installation(read_installed_settings(data), migrated=False) as made:
        url = database_url(made)
        plan = asyncio.run(plan_purge(url, made.registry, name))
        _print_plan(plan)
        if is_dry_run:
            click.echo("Nothing was deleted.")
            return
        if not is_confirmed:
            click.confirm("Delete this for good?", abort=True)
        asyncio.run(purge(url, made.registry, name))
        click.echo(f"Deleted what the plugin {name} stored.")


def _print_plan(plan: PurgePlan) -> None:
    for table, number in plan.tables.items():
        click.echo(f"table     {table:<40} {_format_count(number, 'row')}")
    for what in (*plan.views, *(f"function {signature}" for signature in plan.functions)):
        click.echo(f"also      {what}")
    click.echo(f"settings  {_format_count(plan.settings, 'store')}")
    click.echo(f"history   {_format_count(plan.migrations, 'migration')}")
    click.echo(f"These stay: {_format_count(plan.stores, 'store')} and {_format_count(plan.orders, 'order')}.")


def _format_count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number or 'no'} {what}s"


def _to_record(registry: Registry, number: int) -> dict[str, Any]:
    plugin = registry.plugins[number]
    declared = registry.contributions[plugin.name]
    contributes = {
        hook.plural: list(declared[hook.label])
        for hook in HOOKS
        if hook.label in declared and hook.label != "model set"
    }
    tables = [table for models_of in registry.models if models_of.app in declared.get("model set", ())
              for module in models_of.modules for table in _list_tables(module)]  # fmt: skip
    if tables:
        contributes["tables"] = sorted(tables)
    return {
        "name": plugin.name,
        "version": plugin.version,
        "distribution": plugin.distribution,
        "contributes": contributes,
    }


def _list_tables(module: str) -> list[str]:
    found = inspect.getmembers(importlib.import_module(module), inspect.isclass)
    return [kind._meta.db_table for _, kind in found if issubclass(kind, Model) and kind.__module__ == module]


def _shorten(names: list[str], width: int = 80) -> str:
    text = ", ".join(names)
    return text if len(text) <= width else text[: text.rindex(", ", 0, width)] + ", …"
