"""The command line. Commands are thin: they open the installation, call the services that routes call, and print.

The table below names core's commands without importing them, so that ``comanda --help`` does not wait for a server's
worth of modules. Plugins add theirs through ``register_commands``.
"""

import signal
import sys
from types import FrameType

import click

from comanda.cli.commands import Commands, Lazy

CORE = {
    "run": Lazy("comanda.cli.run:run", "Start here: database, demo data, server and worker in one process."),
    "serve": Lazy("comanda.cli.serve:serve", "Serve HTTP in production, in one process or several."),
    "worker": Lazy("comanda.cli.serve:worker", "Do the background work alone, beside web processes."),
    "migrate": Lazy("comanda.cli.migrations:migrate", "Bring the database's tables up to date."),
    "migrations": Lazy("comanda.cli.migrations:migrations", "Write migrations from models."),
    "plugins": Lazy("comanda.cli.plugins:plugins", "List plugins, write a new one, check one."),
    "owner": Lazy("comanda.cli.owner:owner", "Create, list, suspend and resume owners."),
    "store": Lazy("comanda.cli.store:store", "Open stores."),
    "menu": Lazy("comanda.cli.menu:menu", "Import and export the menus of stores."),
    "token": Lazy("comanda.cli.token:token", "Create, list and revoke access tokens."),
    "secrets": Lazy("comanda.cli.secrets:secrets", "Show, rotate and generate encryption keys."),
    "demo": Lazy("comanda.cli.demo:demo", "Fill in demo data and print how to get in."),
    "doctor": Lazy("comanda.cli.doctor:doctor", "Check the installation and say what to do."),
    "settings": Lazy("comanda.cli.settings:settings", "List every setting, its value and where that comes from."),
    "backup": Lazy("comanda.cli.backup:backup", "Write the database and what belongs to it into one file."),
    "restore": Lazy("comanda.cli.backup:restore", "Bring back what a backup holds."),
}


@click.group(cls=Commands, core=CORE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="comanda-core", prog_name="comanda")
def comanda() -> None:
    """Comanda, a self-hostable ordering platform where every feature is a plugin."""


# Commands that a person ends with Ctrl-C, which for them is no failure, not even while they load.
SERVERS = {"run", "serve", "worker"}


def main() -> None:
    """Run the command line; the entry point of the script ``comanda``."""
    if SERVERS.intersection(sys.argv[1:2]):
        signal.signal(signal.SIGINT, _leave)
    comanda(prog_name="comanda")


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
