"""Rules for module names: a name directly in a plugin package means the same in every plugin."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final

from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource

RULE: Final = "package-shape"


class Form(Enum):
    """How a role may be stored."""

    FILE = auto()
    FOLDER = auto()
    EITHER = auto()  # a file, or a folder once it has several modules


ROLES: Final[Mapping[str, tuple[Form, str]]] = {
    # What a plugin registers and provides.
    "plugin": (Form.FILE, "Hook implementations only: the table of contents of the plugin."),
    "models": (Form.FILE, "Tables, with names prefixed by the name of the plugin."),
    "records": (Form.EITHER, "Frozen records, which services return."),
    "schemas": (Form.EITHER, "Pydantic models of requests, answers and MCP tools."),
    "routes": (Form.FOLDER, "REST routes, one module per resource."),
    "services": (Form.EITHER, "What the plugin does; the only modules that write to the database."),
    "events": (Form.FILE, "Events that the plugin publishes."),
    "event_handlers": (Form.FILE, "Handlers of events that other plugins publish."),
    "errors": (Form.FILE, "Errors beyond those of core."),
    "settings": (Form.FILE, "Settings that operators set in the environment."),
    "tasks": (Form.FILE, "Background tasks and queue workers."),
    "tools": (Form.EITHER, "MCP tools, which call services."),
    "server": (Form.FILE, "An MCP server."),
    "commands": (Form.FILE, "Commands of the command line."),
    "demo": (Form.EITHER, "Demo data."),
    "pages": (Form.FOLDER, "Web pages, with their blueprint in ``pages/blueprint.py``."),
    "api": (Form.FILE, "What plugins that depend on this one may import."),
    "client": (Form.FILE, "The client of an external system."),
    # Objects that core calls.
    "participant": (Form.FILE, "The order participant."),
    "sections": (Form.FILE, "Sections of order and store records."),
    "caller_kinds": (Form.FILE, "Kinds of callers and their tokens."),
    "fulfillment_modes": (Form.FILE, "Fulfillment modes of orders."),
    "item_capabilities": (Form.FILE, "Item capabilities, with the fields that they add to items."),
    "payment_methods": (Form.FILE, "Payment methods."),
    "provider": (Form.EITHER, "The payment provider that a payment method calls."),
    "online_payments": (Form.FILE, "Whether guests can pay online."),
    "payment_books": (Form.FILE, "Ledgers that record payments."),
    "cash_on_delivery": (Form.FILE, "Cash that drivers collect."),
    "references": (Form.FILE, "References from orders to records of the plugin."),
    "navigation": (Form.FILE, "Entries of the dashboard's navigation."),
    "panels": (Form.FILE, "Panels on pages of the dashboard."),
    "scopes": (Form.FILE, "Scopes of tokens."),
    "entitlements": (Form.FILE, "Features of plans, or the provider of entitlements."),
    "store_settings": (Form.FILE, "Settings of a store that its owner changes."),
    "reconciliation": (Form.FILE, "Catching up on what happened while the plugin was away."),
    "erasure": (Form.FILE, "Erasure of personal data."),
    "message_templates": (Form.FILE, "Texts of messages to people."),
    "transports": (Form.FOLDER, "Transports that deliver messages, one module each."),
    # Data.
    "docs": (Form.FOLDER, "Chapters of the guide."),
    "templates": (Form.FOLDER, "Templates of pages."),
    "static": (Form.FOLDER, "Static files of pages."),
    "themes": (Form.FOLDER, "Themes of pages."),
    "migrations": (Form.FOLDER, "Migrations of the tables, oldest first."),
}
"""The allowed names, each with its form and its role."""


def check_shape(source: PluginSource) -> Iterator[Finding]:
    """Check the names of the modules and folders directly in the package."""
    for path in sorted(source.root.iterdir()) if source.root.is_dir() else ():
        if sentence := _find_problem(path):
            yield Finding(str(path), 1, RULE, sentence)


def _find_problem(path: Path) -> str | None:
    is_module = path.suffix == ".py" and path.stem != "__init__"
    if not is_module and not (path.is_dir() and any(path.rglob("*.py"))):
        return None
    form, _ = ROLES.get(path.stem, (None, ""))
    if form is None:
        return f"{path.name} is not named after one of the roles of a plugin's modules: {', '.join(sorted(ROLES))}."
    if form is Form.FOLDER and is_module:
        return f"{path.name} must be a folder, {path.stem}/, with a module for each subject."
    if form is Form.FILE and not is_module:
        return f"{path.name}/ must be a single module, {path.name}.py."
    return None
