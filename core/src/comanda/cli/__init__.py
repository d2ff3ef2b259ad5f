"""The command line. Commands are thin: they open the installation, call the same services as routes, and print.

The table below lists the commands of core without importing them, so that ``comanda --help`` starts fast. Plugins add
theirs through ``register_commands``.
"""

import signal
import sys
from types import FrameType

import click

from comanda.cli.commands import Commands, LazyCommand

CORE_COMMANDS = {
    "run": LazyCommand("comanda.cli.run:run", "Start here: run database, demo data, server and worker in one process."),
    "serve": LazyCommand("comanda.cli.serve:serve", "Serve HTTP in production, in one process or several."),
    "worker": LazyCommand("comanda.cli.serve:worker", "Run background work only, beside web processes."),
    "migrate": LazyCommand("comanda.cli.migrations:migrate", "Apply pending database migrations."),
    "migrations": LazyCommand("comanda.cli.migrations:migrations", "Generate migrations from models."),
    "plugins": LazyCommand("comanda.cli.plugins:plugins", "List installed plugins, create a new one, check one."),
    "owner": LazyCommand("comanda.cli.owner:owner", "Create, list, suspend and resume owners."),
    "store": LazyCommand("comanda.cli.store:store", "Create stores."),
    "menu": LazyCommand("comanda.cli.menu:menu", "Import and export menus."),
    "token": LazyCommand("comanda.cli.token:token", "Create, list and revoke access tokens."),
    "secrets": LazyCommand("comanda.cli.secrets:secrets", "Show, rotate and generate encryption keys."),
    "demo": LazyCommand("comanda.cli.demo:demo", "Create demo data and print its stores, tokens and logins."),
    "doctor": LazyCommand("comanda.cli.doctor:doctor", "Check the installation and suggest fixes."),
    "settings": LazyCommand("comanda.cli.settings:settings", "List all settings with their values and sources."),
    "backup": LazyCommand("comanda.cli.backup:backup", "Back up the database and its files into one file."),
    "restore": LazyCommand("comanda.cli.backup:restore", "Restore a backup."),
}


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
