"""Sales of a store by day, for owners, staff and agents."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    EventHandler,
    ModelSet,
    NavigationEntry,
    Pages,
    Panel,
    Routes,
    Scope,
    Task,
    Tool,
    create_scopes,
)

from comanda_analytics import tasks
from comanda_analytics.commands import analytics
from comanda_analytics.event_handlers import update_daily_totals
from comanda_analytics.pages.panels import PANELS, dashboard
from comanda_analytics.pages.reports import NAVIGATION
from comanda_analytics.routes.analytics import routes, staff_routes
from comanda_analytics.services.daily_totals import BACKFILL_TASK, CORE_EVENTS, HANDLER_NAME, PAYMENT_EVENTS
from comanda_analytics.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of daily totals and counted orders."""
    return [ModelSet("analytics", ("comanda_analytics.models",), "comanda_migrations.analytics")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    """Register the scopes of reports."""
    return create_scopes("analytics", "reports")


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the reports for owners and staff."""
    return [routes, staff_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the reports, and the live part of the panel."""
    return [dashboard.pages]


@hookimpl
def register_panels() -> Sequence[Panel]:
    """Register the day's sales."""
    return PANELS


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entry of the reports in the navigation."""
    return NAVIGATION


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handler that updates daily totals."""
    return [EventHandler(HANDLER_NAME, update_daily_totals, CORE_EVENTS, PAYMENT_EVENTS)]


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Register the backfill of orders, and the daily consistency check."""
    return [
        # Reports and orders of an incomplete store start it at once; the search for others looks at every store.
        Task(BACKFILL_TASK, tasks.backfill_stores, every=timedelta(hours=1)),
        Task("analytics_check", tasks.check_totals, every=timedelta(days=1)),
    ]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Register the tool for sales reports."""
    return TOOLS


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Register the command that recounts orders."""
    return [analytics]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on analytics."""
    return [
        Chapter(
            name="analytics",
            title="Analytics",
            summary="Sales of a store over a range of days: orders, revenue, charges, best-selling items, each day.",
            package="comanda_analytics",
            path="docs/analytics.md",
        )
    ]
