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
    return [ModelSet("analytics", ("comanda_analytics.models",), "comanda_migrations.analytics")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("analytics", "reports")


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes, staff_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler(HANDLER_NAME, update_daily_totals, CORE_EVENTS, PAYMENT_EVENTS)]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        # Reports and orders of an incomplete store start it at once; the search for others looks at every store.
        Task(BACKFILL_TASK, tasks.backfill_stores, every=timedelta(hours=1)),
        Task("analytics_check", tasks.check_totals, every=timedelta(days=1)),
    ]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [analytics]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="analytics",
            title="Analytics",
            summary="Sales of a store over a range of days: orders, revenue, charges, best-selling items, each day.",
            package="comanda_analytics",
            path="docs/analytics.md",
        )
    ]
