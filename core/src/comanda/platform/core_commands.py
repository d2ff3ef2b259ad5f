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
    "run": LazyCommand("comanda.cli.run:run", "Start here: run database, demo data, server and worker in one process."),
    "serve": LazyCommand("comanda.cli.serve:serve", "Serve HTTP in production, in one process or several."),
    "worker": LazyCommand("comanda.cli.serve:worker", "Run background work only, beside web processes."),
    "migrate": LazyCommand("comanda.cli.migrations:migrate", "Apply pending database migrations."),
    "migrations": LazyCommand("comanda.cli.migrations:migrations", "Generate migrations from models."),
    "plugins": LazyCommand("comanda.cli.plugins:plugins", "List installed plugins, create a new one, check one."),
    "owner": LazyCommand("comanda.cli.owner:owner", "Create, list, export, erase, suspend and resume owners."),
    "store": LazyCommand("comanda.cli.store:store", "Create, list and delete stores."),
    "menu": LazyCommand("comanda.cli.menu:menu", "Import and export menus."),
    "token": LazyCommand("comanda.cli.token:token", "Create, list and revoke access tokens."),
    "secrets": LazyCommand("comanda.cli.secrets:secrets", "Show, rotate and generate encryption keys."),
    "demo": LazyCommand("comanda.cli.demo:demo", "Create demo data and print its stores, tokens and logins."),
    "clock": LazyCommand("comanda.cli.clock:clock", "Show and advance the test clock, in development mode only."),
    "doctor": LazyCommand("comanda.cli.doctor:doctor", "Check the installation and suggest fixes."),
    "settings": LazyCommand("comanda.cli.settings:settings", "List all settings with their values and sources."),
    "backup": LazyCommand("comanda.cli.backup:backup", "Back up the database and its files into one file."),
    "restore": LazyCommand("comanda.cli.backup:restore", "Restore a backup."),
}
