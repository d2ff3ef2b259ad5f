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

from comanda_analytics import checking, filling
from comanda_analytics.commands import analytics
from comanda_analytics.feed import CHANNEL, CORE_EVENTS, PAYMENT_EVENTS, follow
from comanda_analytics.routes import routes, staff_routes
from comanda_analytics.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring days and what was sold on them, and what each order counted for."""
    return [ModelSet("analytics", ("comanda_analytics.models",), "comanda_migrations.analytics")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Report to owners and to staff."""
    return [routes, staff_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Keep the days in step with orders and with what is paid and refunded."""
    return [EventHandler("analytics_days", follow, CORE_EVENTS, PAYMENT_EVENTS)]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Count orders that no event tells of, and compare the days with the orders once a day."""
    return [
        QueueWorker("analytics_fill", CHANNEL, filling.run),
        Task("analytics_check", checking.check, every=timedelta(days=1)),
    ]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Let owners' agents ask what was sold."""
    return TOOLS


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Let the operator count every order anew."""
    return [analytics]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain reports to owners and to whoever reads them over the API."""
    return [
        Chapter(
            name="analytics",
            title="Analytics",
            summary="What a store sold in a range of days: orders, revenue, top items, by day, beside the days before.",
            package="comanda_analytics",
            path="docs/analytics.md",
        )
    ]
