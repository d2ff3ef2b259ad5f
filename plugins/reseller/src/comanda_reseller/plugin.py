"""Resellers: customers, plans, subscriptions and invoices."""

from collections.abc import Sequence

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    Event,
    LeasedQueue,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    Pages,
    PersonalDataEraser,
    PluginSettings,
    Routes,
    Scope,
    Task,
)

from comanda_reseller.commands import reseller
from comanda_reseller.demo import create_demo_reseller, list_logins
from comanda_reseller.erasure import ERASER
from comanda_reseller.events import SUBSCRIPTION_EVENTS
from comanda_reseller.message_templates import TEMPLATES
from comanda_reseller.navigation import ENTRIES
from comanda_reseller.pages import dashboard as dashboard_pages
from comanda_reseller.pages.blueprint import pages
from comanda_reseller.pages.dashboard import (
    account_settings,
    customers,
    invoices,
    own_subscription,
    plans,
    subscriptions,
)
from comanda_reseller.routes.account import routes as account_routes
from comanda_reseller.routes.customers import routes as customer_routes
from comanda_reseller.routes.invoices import routes as invoice_routes
from comanda_reseller.routes.own_subscription import routes as own_subscription_routes
from comanda_reseller.routes.plans import routes as plan_routes
from comanda_reseller.routes.subscriptions import routes as subscription_routes
from comanda_reseller.scopes import SCOPES
from comanda_reseller.settings import ResellerSettings
from comanda_reseller.tasks import TASKS

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (account_settings, customers, invoices, own_subscription, plans, subscriptions)


@hookimpl
def register_settings() -> type[PluginSettings]:
    return ResellerSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("reseller", ("comanda_reseller.models",), "comanda_migrations.reseller")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [customer_routes, plan_routes, subscription_routes, invoice_routes, account_routes, own_subscription_routes]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return SCOPES


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return TEMPLATES


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return SUBSCRIPTION_EVENTS


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return TASKS


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard_pages.dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return ENTRIES


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("reseller", create_demo_reseller, list_logins=list_logins)]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [reseller]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Customers, plans, subscriptions with trials and retries, invoices, and what customers see of them."
    invoicing = "Invoices, payments, credit notes and reminders, what resellers owe the platform, and their figures."
    return [
        Chapter("reseller", "Resellers", summary, "comanda_reseller", "docs/reseller.md"),
        Chapter("reseller-invoices", "Invoices of resellers", invoicing, "comanda_reseller", "docs/invoices.md"),
    ]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Keep invoices when an owner is erased."""
    return [ERASER]
