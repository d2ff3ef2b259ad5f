"""Signed webhooks: endpoints, deliveries, attempts."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event, EventHandler
from comanda.contracts.mcp import Tool
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task

from comanda_webhooks import sender, tasks
from comanda_webhooks.commands import listen
from comanda_webhooks.erasing import ERASER
from comanda_webhooks.events import EndpointDisabled, EndpointFailing, Ping
from comanda_webhooks.fanout import CHANNEL, deliver
from comanda_webhooks.routes.deliveries import routes as delivery_routes
from comanda_webhooks.routes.endpoints import routes as endpoint_routes
from comanda_webhooks.settings import WebhookSettings
from comanda_webhooks.stored_secrets import COLUMNS
from comanda_webhooks.tools import TOOLS


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Let the operator set how much is sent at once, where it may go, and how long the log is kept."""
    return WebhookSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring endpoints, deliveries and attempts."""
    return [ModelSet("webhooks", ("comanda_webhooks.models",), "comanda_migrations.webhooks", COLUMNS)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for endpoints and their delivery log."""
    return [endpoint_routes, delivery_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce the test action, and endpoints in trouble."""
    return [Ping, EndpointFailing, EndpointDisabled]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Queue every event for the endpoints that want it."""
    return [EventHandler("webhooks", deliver)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Let the log tell no more of people who are erased."""
    return [ERASER]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Send what is due; look after endpoints that fail; forget what is old."""
    return [
        QueueWorker("webhooks", CHANNEL, sender.run),
        Task("webhooks_sweep", tasks.sweep, every=timedelta(minutes=1)),
        Task("webhooks_prune", tasks.prune, every=timedelta(hours=1)),
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Add ``comanda listen``."""
    return [listen]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Let agents of developers see which events there are."""
    return TOOLS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain webhooks to owners, and to whoever writes a receiver."""
    return [
        Chapter(
            name="webhooks",
            title="Webhooks",
            summary="Registering endpoints, verifying deliveries, retries, the log, and what a receiver must do.",
            package="comanda_webhooks",
            path="docs/webhooks.md",
        )
    ]
