"""The command line. Commands are thin: they open the installation, call the same services as routes, and print.

Plugins add theirs through ``register_commands``.
"""

import signal
import sys
from types import FrameType

import click

from comanda.cli.commands import Commands
from comanda.core_commands import CORE_COMMANDS


@click.group(cls=Commands, core=CORE_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="comanda-core", prog_name="comanda")
def comanda() -> None:
    """Comanda, a self-hostable ordering platform where every feature is a plugin."""


# Commands that are stopped with Ctrl-C, which is not a failure, even while they load.
SERVER_COMMANDS = {"run", "serve", "worker"}


def main() -> None:
    """Run the command line; the entry point of the script ``comanda``."""
    if SERVER_COMMANDS.intersection(sys.argv[1:2]):
        signal.signal(signal.SIGINT, _exit)
    comanda(prog_name="comanda")


def _exit(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
