"""The command line. Commands are thin: they open the installation, call the services that routes call, and print.

The table below names core's commands without importing them, so that ``comanda --help`` does not wait for a server's
worth of modules. Plugins add theirs through ``register_commands``.
"""

import signal
import sys
from types import FrameType

import click

from comanda.cli.commands import Commands, LazyCommand

CORE_COMMANDS = {
    "run": LazyCommand("comanda.cli.run:run", "Start here: database, demo data, server and worker in one process."),
    "serve": LazyCommand("comanda.cli.serve:serve", "Serve HTTP in production, in one process or several."),
    "worker": LazyCommand("comanda.cli.serve:worker", "Do the background work alone, beside web processes."),
    "migrate": LazyCommand("comanda.cli.migrations:migrate", "Bring the database's tables up to date."),
    "migrations": LazyCommand("comanda.cli.migrations:migrations", "Write migrations from models."),
    "plugins": LazyCommand("comanda.cli.plugins:plugins", "List plugins, write a new one, check one."),
    "owner": LazyCommand("comanda.cli.owner:owner", "Create, list, suspend and resume owners."),
    "store": LazyCommand("comanda.cli.store:store", "Open stores."),
    "menu": LazyCommand("comanda.cli.menu:menu", "Import and export the menus of stores."),
    "token": LazyCommand("comanda.cli.token:token", "Create, list and revoke access tokens."),
    "secrets": LazyCommand("comanda.cli.secrets:secrets", "Show, rotate and generate encryption keys."),
    "demo": LazyCommand("comanda.cli.demo:demo", "Fill in demo data and print how to get in."),
    "doctor": LazyCommand("comanda.cli.doctor:doctor", "Check the installation and say what to do."),
    "settings": LazyCommand(
        "comanda.cli.settings:settings", "List every setting, its value and where that comes from."
    ),
    "backup": LazyCommand("comanda.cli.backup:backup", "Write the database and what belongs to it into one file."),
    "restore": LazyCommand("comanda.cli.backup:restore", "Bring back what a backup holds."),
}


@click.group(cls=Commands, core=CORE_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="comanda-core", prog_name="comanda")
def comanda() -> None:
    """Comanda, a self-hostable ordering platform where every feature is a plugin."""


# Commands that a person ends with Ctrl-C, which for them is no failure, not even while they load.
SERVER_COMMANDS = {"run", "serve", "worker"}


def main() -> None:
    """Run the command line; the entry point of the script ``comanda``."""
    if SERVER_COMMANDS.intersection(sys.argv[1:2]):
        signal.signal(signal.SIGINT, _exit)
    comanda(prog_name="comanda")


def _exit(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
