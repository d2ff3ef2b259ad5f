"""App marketplace: listings, review, installation, embedding, usage and recurring charges."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    Event,
    EventHandler,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    Pages,
    PersonalDataEraser,
    PluginSettings,
    Routes,
    Scope,
    Task,
    create_scopes,
)
from comanda_oauth import api as oauth

from comanda_marketplace import tasks
from comanda_marketplace.commands import apps
from comanda_marketplace.demo import create_demo_apps
from comanda_marketplace.erasure import ERASER
from comanda_marketplace.event_handlers import follow_installations
from comanda_marketplace.events import AppDataErasure
from comanda_marketplace.message_templates import APP_DECISION, PAYMENT_FAILED
from comanda_marketplace.navigation import ENTRIES
from comanda_marketplace.pages.blueprint import pages
from comanda_marketplace.pages.dashboard import (
    app_forms,
    app_review,
    app_screenshots,
    app_secrets,
    dashboard,
    installed_apps,
)
from comanda_marketplace.pages.dashboard import developer_apps as developer_app_pages
from comanda_marketplace.pages.dashboard import listings as listing_pages
from comanda_marketplace.routes import developer_apps, installations, listings, session_tokens, usage
from comanda_marketplace.services.installations.webhook_secrets import ENCRYPTED_COLUMNS
from comanda_marketplace.settings import MarketplaceSettings

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (
    listing_pages,
    installed_apps,
    app_review,
    developer_app_pages,
    app_forms,
    app_secrets,
    app_screenshots,
)


@hookimpl
def register_settings() -> type[PluginSettings]:
    return MarketplaceSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    models = ("comanda_marketplace.models",)
    return [ModelSet("marketplace", models, "comanda_migrations.marketplace", ENCRYPTED_COLUMNS)]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("apps", "apps and their installations")


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [
        developer_apps.routes,
        listings.routes,
        listings.files,
        installations.routes,
        session_tokens.routes,
        usage.routes,
    ]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [AppDataErasure]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    events = (oauth.AppInstalled, oauth.AppScopesChanged, oauth.AppUninstalled)
    return [EventHandler("marketplace", follow_installations, events)]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        Task("marketplace_charges", tasks.charge_due, every=timedelta(minutes=1)),
        Task("marketplace_erasures", tasks.request_erasures, every=timedelta(minutes=5)),
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return ENTRIES


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [APP_DECISION, PAYMENT_FAILED]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [apps]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("marketplace", create_demo_apps)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Building apps: review, OAuth, session tokens, embedded pages, usage, recurring prices, webhooks."
    return [Chapter("marketplace", "Apps and the marketplace", summary, "comanda_marketplace", "docs/marketplace.md")]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Keep what apps charged when an owner is erased."""
    return [ERASER]
