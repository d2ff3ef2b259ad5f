"""The command line. Commands are thin: they open the installation, call the same services as routes, and print.

Plugins add theirs through ``register_commands``.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

import click

from comanda.basics.lazy_imports import defer_model_builds, import_without
from comanda.cli.commands import Commands
from comanda.platform.core_commands import CORE_COMMANDS


@click.group(cls=Commands, core=CORE_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=lambda context, _option, is_set: _print_version(context) if is_set else None,
    help="Show the version and exit.",
)
@click.option(
    "--env-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    expose_value=False,
    is_eager=True,
    callback=lambda _context, _option, file: _load_environment(file),
    help="Read variables from this file, such as /etc/comanda/comanda.env.",
)
def comanda() -> None:
    """Comanda, a self-hostable ordering platform where every feature is a plugin."""


def _print_version(context: click.Context) -> None:
    from comanda.basics.build_version import get_build_version

    click.echo(f"comanda, version {get_build_version()}")
    context.exit()


def _load_environment(file: Path | None) -> None:
    if file is not None:
        # Imported late, because importing pydantic takes longer than many commands.
        from comanda.cli.environment_file import load_environment_file

        load_environment_file(file)


# Commands that are stopped with Ctrl-C, which is not a failure, even while they load.
SERVER_COMMANDS = {"run", "serve", "worker"}
# These import everything as it is: to check plugins with their models, or nothing at all.
UNPREPARED = {"plugins", "--version"}


def main() -> None:
    """Run the command line; the entry point of the script ``comanda``."""
    if SERVER_COMMANDS.intersection(sys.argv[1:2]):
        signal.signal(signal.SIGINT, _exit)
    if UNPREPARED.isdisjoint(sys.argv[1:2]):
        prepare_fast_start()
    comanda(prog_name="comanda")


def prepare_fast_start() -> None:
    """Configure libraries to do less while the rest is imported."""
    defer_model_builds()
    # It imports Rich for tracebacks that Comanda does not use, because they print local variables.
    import_without("structlog", "rich")
    # Imported only here, as Tortoise takes a tenth of the time of a start.
    from comanda.platform.db.orm.model_comments import skip_comment_parsing
    from comanda.platform.db.orm.model_filters import defer_filters

    skip_comment_parsing()
    defer_filters()


def _exit(_number: int, _frame: FrameType | None) -> None:
    # Nothing has been opened yet, and an exception may end in a callback of the interpreter that ignores it.
    os._exit(0)
