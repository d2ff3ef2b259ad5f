"""`comanda plugins`: the installed ones, a new one, and whether one keeps the contract."""

import importlib
import inspect
import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from tortoise.models import Model

from comanda.cli.options import json_option
from comanda.cli.runtime import load
from comanda.connection_urls import check_database_url
from comanda.contracts.registry import Registry
from comanda.devkit.authoring.findings import Finding, errors

# What the registry calls a declaration, and what the list calls several of them.
PLURALS = {
    "route": "routes",
    "vertical": "verticals",
    "fulfillment mode": "modes",
    "item capability": "item_capabilities",
    "caller kind": "caller_kinds",
    "order participant": "order_participants",
    "section": "sections",
    "event": "events",
    "event handler": "event_handlers",
    "MCP server": "mcp_servers",
    "MCP tool": "mcp_tools",
    "task": "tasks",
    "transport": "transports",
    "message template": "message_templates",
    "payment method": "payment_methods",
    "payment book": "payment_books",
    "cash on delivery": "cash_on_delivery",
    "eraser": "erasers",
    "reference": "references",
    "command": "commands",
    "set of pages": "pages",
    "documentation chapter": "docs",
    "demo step": "demo_data",
}


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def plugins(context: click.Context, as_json: bool) -> None:
    """List the installed plugins in the order in which they are loaded, and what each contributes.

    The commands below are for authors of plugins.
    """
    if context.invoked_subcommand is None:
        _list(as_json)


def _list(as_json: bool) -> None:
    registry = load().registry
    records = [_record(registry, number) for number in range(len(registry.plugins))]
    if as_json:
        click.echo(json.dumps(records, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    for record in records:
        console.print(f"[bold]{record['name']}[/]  {record['version']}  ({record['distribution']})")
        for what, names in record["contributes"].items():
            console.print(f"  {what.replace('_', ' '):<18} {len(names):>3}  {_some(names)}", markup=False)


@plugins.command("new")
@click.argument("name")
@click.option("--vertical", "kind", flag_value="vertical", help="A store type, what its items tell, its orders.")
@click.option(
    "--feature", "kind", flag_value="feature", default="feature", help="A table, routes, an event.  [default]"
)
@click.option("--mcp", "kind", flag_value="mcp", help="A server for AI agents, and its tools.")
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Where its folder goes.")
def new_plugin(name: str, kind: str, into: Path) -> None:
    """Write a plugin that installs, passes its own tests and keeps the contract, to start from."""
    # Imported only here, as a template engine and the migrations' generator come with it.
    from comanda.devkit.authoring import environment, scaffold  # noqa: PLC0415
    from comanda.devkit.authoring import names as naming

    try:
        folder = scaffold.write(naming.names_for(name), scaffold.Kind(kind), into)
    except (naming.BadName, scaffold.CannotWrite) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{folder} is a {kind} plugin that works. Next:")
    for command in environment.commands(folder):
        click.echo(f"  {command}")
    if missing := environment.missing(scaffold.TESTS_NEED[scaffold.Kind(kind)]):
        click.echo(f"Its tests need {', '.join(missing)}, which is not installed here: install that first.")


def _checked_url(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Return an address of PostgreSQL, or None for a blank one."""
    try:
        return check_database_url(value) if value and value.strip() else None
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from error


@plugins.command("check")
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
@click.option("--static", "is_static", is_flag=True, help="Only read files: run nothing, need no database.")
@click.option(
    "--database-url",
    callback=_checked_url,
    help="A PostgreSQL server for a database of the check's own.  [default: an embedded one]",
)
@click.pass_context
def check_plugin(context: click.Context, path: Path, as_json: bool, is_static: bool, database_url: str | None) -> None:
    """Tell what a plugin's source folder breaks of the contract, where, and how to mend it.

    The exit code is 1 if there are errors, and 0 if there are warnings alone.
    """
    from comanda.devkit.authoring.checker import check  # noqa: PLC0415

    found = check(path, server=database_url, is_static=is_static)
    if as_json:
        click.echo(json.dumps([one.record() for one in found], indent=2))
    else:
        _print(found)
    context.exit(1 if errors(found) else 0)


def _print(found: list[Finding]) -> None:
    for one in found:
        click.echo(f"{one.path}:{one.line}: {one.severity.value}: {one.sentence} [{one.rule}]\n    {one.fix}")
    broken = len(errors(found))
    click.echo(f"{_counted(broken, 'error')}, {_counted(len(found) - broken, 'warning')}.")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number or 'no'} {what}s"


def _record(registry: Registry, number: int) -> dict[str, Any]:
    plugin = registry.plugins[number]
    declared = registry.contributions[plugin.name]
    contributes = {plural: list(declared[what]) for what, plural in PLURALS.items() if what in declared}
    tables = [table for models_of in registry.models if models_of.app in declared.get("model set", ())
              for module in models_of.modules for table in _tables(module)]  # fmt: skip
    if tables:
        contributes["tables"] = sorted(tables)
    return {
        "name": plugin.name,
        "version": plugin.version,
        "distribution": plugin.distribution,
        "contributes": contributes,
    }


def _tables(module: str) -> list[str]:
    found = inspect.getmembers(importlib.import_module(module), inspect.isclass)
    return [kind._meta.db_table for _, kind in found if issubclass(kind, Model) and kind.__module__ == module]


def _some(names: list[str], width: int = 80) -> str:
    text = ", ".join(names)
    return text if len(text) <= width else text[: text.rindex(", ", 0, width)] + ", …"
