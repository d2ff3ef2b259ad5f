"""The command group: commands of core, imported when called, and commands of plugins."""

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

import click

from comanda.cli.failures import describe_error
from comanda.platform.core_commands import LazyCommand


class Commands(click.Group):
    """Finds commands and reports expected errors in one line, with exit code 1."""

    def __init__(self, *args: Any, core: Mapping[str, LazyCommand], **options: Any) -> None:
        super().__init__(*args, **options)
        self._core = core

    @cached_property
    def _plugin_commands(self) -> dict[str, click.Command]:
        # Imported late, because it loads every plugin.
        registry = import_module("comanda.cli.session").load_runtime().registry
        return {command.name or "": command for command in registry.commands}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of core's commands in their order, then those of plugins."""
        return [*self._core, *sorted(self._plugin_commands)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command of core or of a plugin."""
        if cmd_name in self._core:
            return self._core[cmd_name].load()
        return self._plugin_commands.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list without importing commands of core, even if plugins cannot be loaded."""
        rows = [(name, lazy.help) for name, lazy in self._core.items()]
        try:
            rows += [
                (name, self._plugin_commands[name].get_short_help_str(80)) for name in sorted(self._plugin_commands)
            ]
        except Exception as error:
            click.echo(f"Plugins could not be loaded: {_to_click_error(error).message}", err=True)
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            # Click exits quietly where nobody reads on, as after `| head`.
            raise
        except Exception as error:
            raise _to_click_error(error) from error


def _to_click_error(error: Exception) -> click.ClickException:
    """Convert an expected error into one line; an unexpected one is raised unchanged."""
    line = describe_error(error)
    if line is None:
        raise error
    return click.ClickException(line)
