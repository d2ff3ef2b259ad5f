"""`comanda plugins`."""

import importlib
import inspect
import json
from typing import Any

import click
from rich.console import Console
from tortoise.models import Model

from comanda.cli.loading import load
from comanda.cli.options import json_option
from comanda.registry import Registry

# What the registry calls a declaration, and what the list calls several of them.
PLURALS = {
    "route": "routes",
    "vertical": "verticals",
    "fulfillment mode": "modes",
    "item capability": "item_capabilities",
    "caller kind": "caller_kinds",
    "order participant": "order_participants",
    "event": "events",
    "event handler": "event_handlers",
    "MCP server": "mcp_servers",
    "MCP tool": "mcp_tools",
    "task": "tasks",
    "command": "commands",
    "set of pages": "pages",
    "documentation chapter": "docs",
    "demo step": "demo_data",
}


@click.command()
@json_option
def plugins(as_json: bool) -> None:
    """List the installed plugins in the order in which they are loaded, and what each contributes."""
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
