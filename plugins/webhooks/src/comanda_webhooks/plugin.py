"""Webhooks: endpoints, signed deliveries and their attempts."""

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

from comanda_webhooks import tasks
from comanda_webhooks.commands import listen
from comanda_webhooks.erasure import ERASER
from comanda_webhooks.event_handlers import deliver_events
from comanda_webhooks.events import EndpointDisabled, EndpointFailing, Ping
from comanda_webhooks.routes.deliveries import routes as delivery_routes
from comanda_webhooks.routes.endpoints import routes as endpoint_routes
from comanda_webhooks.services import sender
from comanda_webhooks.services.delivery_queue import SENDER_CHANNEL
from comanda_webhooks.services.signing_secrets import ENCRYPTED_COLUMNS
from comanda_webhooks.settings import WebhookSettings
from comanda_webhooks.tools import TOOLS


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the operator's settings."""
    return WebhookSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of endpoints, deliveries and attempts, and their encrypted columns."""
    return [ModelSet("webhooks", ("comanda_webhooks.models",), "comanda_migrations.webhooks", ENCRYPTED_COLUMNS)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of endpoints and their delivery log."""
    return [endpoint_routes, delivery_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the test event, and the events of failing and disabled endpoints."""
    return [Ping, EndpointFailing, EndpointDisabled]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handler that queues every event for the subscribed endpoints."""
    return [EventHandler("webhooks", deliver_events)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Register the erasure of personal data from the delivery log."""
    return [ERASER]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Register the sender, the check of failing endpoints and the pruning of the log."""
    return [
        QueueWorker("webhooks", SENDER_CHANNEL, sender.run_sender),
        Task("webhooks_sweep", tasks.sweep_endpoints, every=timedelta(minutes=1)),
        Task("webhooks_prune", tasks.prune_log, every=timedelta(hours=1)),
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Register ``comanda listen``."""
    return [listen]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Register the tool that lists the events."""
    return TOOLS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on webhooks."""
    return [
        Chapter(
            name="webhooks",
            title="Webhooks",
            summary="Registering endpoints, verifying deliveries, retries, the log, and what receivers must do.",
            package="comanda_webhooks",
            path="docs/webhooks.md",
        )
    ]
