"""Sales of a store by day, for owners, staff and agents."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.events import EventHandler
from comanda.contracts.mcp import Tool
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import QueueWorker, Task

from comanda_analytics import tasks
from comanda_analytics.commands import analytics
from comanda_analytics.event_handlers import update_daily_totals
from comanda_analytics.routes.analytics import routes, staff_routes
from comanda_analytics.services.daily_totals import BACKFILL_CHANNEL, CORE_EVENTS, PAYMENT_EVENTS
from comanda_analytics.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of daily totals and counted orders."""
    return [ModelSet("analytics", ("comanda_analytics.models",), "comanda_migrations.analytics")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the reports for owners and staff."""
    return [routes, staff_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handler that updates daily totals."""
    return [EventHandler("analytics_days", update_daily_totals, CORE_EVENTS, PAYMENT_EVENTS)]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Register the backfill of orders, and the daily consistency check."""
    return [
        QueueWorker("analytics_fill", BACKFILL_CHANNEL, tasks.run_backfill),
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
            summary="Sales of a store over a range of days: orders, revenue, best-selling items, each day.",
            package="comanda_analytics",
            path="docs/analytics.md",
        )
    ]
