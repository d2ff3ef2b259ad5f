"""Reports of business days, and their closing."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    Event,
    EventHandler,
    ModelSet,
    NavigationEntry,
    Pages,
    Routes,
    StoreSettings,
    Task,
)
from comanda_drawer.api import ShiftClosed
from comanda_payments.api import PrepaymentChanged

from comanda_closings import tasks
from comanda_closings.event_handlers import count_events
from comanda_closings.events import DayClosed
from comanda_closings.pages.closings import NAVIGATION
from comanda_closings.pages.reports import dashboard
from comanda_closings.routes.closings import routes as owner_routes
from comanda_closings.routes.reports import routes as report_routes
from comanda_closings.routes.reports import staff_routes as staff_report_routes
from comanda_closings.routes.staff_closings import routes as staff_routes
from comanda_closings.services.day_counts import BACKFILL_TASK, EVENTS, HANDLER_NAME
from comanda_closings.store_settings import STORE_SETTINGS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("closings", ("comanda_closings.models",), "comanda_migrations.closings")]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [report_routes, staff_report_routes, owner_routes, staff_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [DayClosed]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler(HANDLER_NAME, count_events, (*EVENTS, PrepaymentChanged, ShiftClosed))]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task(BACKFILL_TASK, tasks.backfill_stores, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Days of a store: what was sold, paid and refunded on each, by tax rate, tender and staff; closing (Z)."
    return [Chapter("closings", "Day reports and closings", summary, "comanda_closings", "docs/closings.md")]
