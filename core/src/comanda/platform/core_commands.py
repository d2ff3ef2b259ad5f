"""The commands of core by name, listed without importing them, so that ``comanda --help`` starts fast."""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Final

import click


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command to import when called: ``module:name``, and its help text."""

    target: str
    help: str

    def load(self) -> click.Command:
        """Import the command."""
        module, _, name = self.target.partition(":")
        # Imported objects stay; searching them for garbage takes a tenth of the time.
        gc.disable()
        try:
            found: click.Command = getattr(import_module(module), name)
        finally:
            gc.enable()
        return found


CORE_COMMANDS: Final[Mapping[str, LazyCommand]] = {
    "run": LazyCommand(
        "comanda.cli.serving.run:run", "Start here: run database, demo data, server and worker in one process."
    ),
    "serve": LazyCommand("comanda.cli.serving.serve:serve", "Serve HTTP in production, in one process or several."),
    "worker": LazyCommand("comanda.cli.serving.serve:worker", "Run background work only, beside web processes."),
    "migrate": LazyCommand("comanda.cli.maintenance.migrations:migrate", "Apply pending database migrations."),
    "migrations": LazyCommand("comanda.cli.maintenance.migrations:migrations", "Generate migrations from models."),
    "plugins": LazyCommand(
        "comanda.cli.maintenance.plugins:plugins", "List installed plugins, create a new one, check one."
    ),
    "owner": LazyCommand("comanda.cli.owners.owner:owner", "Create, list, export, erase, suspend and resume owners."),
    "store": LazyCommand("comanda.cli.owners.store:store", "Create, list and delete stores."),
    "menu": LazyCommand("comanda.cli.owners.menu:menu", "Import and export menus."),
    "token": LazyCommand("comanda.cli.owners.token:token", "Create, list and revoke access tokens."),
    "secrets": LazyCommand("comanda.cli.maintenance.secrets:secrets", "Show, rotate and generate encryption keys."),
    "demo": LazyCommand("comanda.cli.serving.demo:demo", "Create demo data and print its stores, tokens and logins."),
    "clock": LazyCommand(
        "comanda.cli.maintenance.clock:clock", "Show and advance the test clock, in development mode only."
    ),
    "doctor": LazyCommand("comanda.cli.maintenance.doctor:doctor", "Check the installation and suggest fixes."),
    "settings": LazyCommand(
        "comanda.cli.maintenance.settings:settings", "List all settings with their values and sources."
    ),
    "backup": LazyCommand("comanda.cli.maintenance.backup:backup", "Back up the database and its files into one file."),
    "restore": LazyCommand("comanda.cli.maintenance.backup:restore", "Restore a backup."),
}
