"""Webhooks: endpoints, signed deliveries and their attempts."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    EntitlementProvider,
    Event,
    EventHandler,
    Feature,
    LeasedQueue,
    ModelSet,
    NavigationEntry,
    Pages,
    Panel,
    PersonalDataEraser,
    PluginSettings,
    Routes,
    Scope,
    Task,
    Tool,
    create_scopes,
)
from comanda.web import N_

from comanda_webhooks import tasks
from comanda_webhooks.commands import listen
from comanda_webhooks.entitlements import WEBHOOKS
from comanda_webhooks.erasure import ERASER
from comanda_webhooks.event_handlers import deliver_events
from comanda_webhooks.events import EndpointDisabled, EndpointFailing, Ping
from comanda_webhooks.pages.dashboard import dashboard
from comanda_webhooks.panels import PANELS
from comanda_webhooks.routes.endpoints import routes as endpoint_routes
from comanda_webhooks.services import sender
from comanda_webhooks.services.signing_secrets import ENCRYPTED_COLUMNS
from comanda_webhooks.settings import WebhookSettings
from comanda_webhooks.tools import TOOLS


@hookimpl
def register_settings() -> type[PluginSettings]:
    return WebhookSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("webhooks", ("comanda_webhooks.models",), "comanda_migrations.webhooks", ENCRYPTED_COLUMNS)]


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [WEBHOOKS]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("webhooks", "webhook endpoints")


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [endpoint_routes]


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [NavigationEntry(N_("Webhooks"), "/webhooks", "channels", "webhooks:read", icon="hook", position=60)]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [Ping, EndpointFailing, EndpointDisabled]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("webhooks", deliver_events)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [
        sender.QUEUE,
        Task("webhooks_sweep", tasks.sweep_endpoints, every=timedelta(minutes=1)),
        Task("webhooks_prune", tasks.prune_log, every=timedelta(hours=1)),
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [listen]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="webhooks",
            title="Webhooks",
            summary="Registering endpoints, verifying deliveries, retries, the log, and what receivers must do.",
            package="comanda_webhooks",
            path="docs/webhooks.md",
        )
    ]
