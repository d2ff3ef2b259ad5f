"""Printing: printers of stores, kitchen tickets and receipts."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    EntitlementProvider,
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
    Task,
)
from comanda.web import N_

from comanda_printing import tasks
from comanda_printing.demo import create_demo_printer
from comanda_printing.entitlements import PRINTING
from comanda_printing.erasure import ERASER
from comanda_printing.pages.dashboard import dashboard
from comanda_printing.pages.panels import PANELS
from comanda_printing.routes.cloudprnt import routes as cloudprnt_routes
from comanda_printing.routes.epson import routes as epson_routes
from comanda_printing.routes.jobs import routes as job_routes
from comanda_printing.routes.printers import routes as printer_routes
from comanda_printing.services import routing, worker
from comanda_printing.settings import PrintingSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the operator's settings."""
    return PrintingSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of printers and jobs."""
    return [ModelSet("printing", ("comanda_printing.models",), "comanda_migrations.printing")]


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    """Register printing as a feature of plans."""
    return [PRINTING]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of printers and jobs for owners, and those that printers poll."""
    return [printer_routes, job_routes, cloudprnt_routes, epson_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handler that queues what the events of orders print."""
    return [EventHandler("printing", routing.queue_jobs, routing.EVENTS)]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    """Register the queue of jobs, and the deletion of old ones."""
    return [worker.QUEUE, Task("printing_prune", tasks.prune_jobs, every=timedelta(hours=1))]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Register the erasure of what was printed about a person's orders."""
    return [ERASER]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of printers in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register printers in the navigation of the dashboard."""
    path = "/stores/{store_id}/printers"
    return [NavigationEntry(N_("Printers"), path, "settings", "restaurants:read", icon="print", position=40)]


@hookimpl
def register_panels() -> Sequence[Panel]:
    """Register what was printed of an order, and the printers that need somebody."""
    return PANELS


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register a printer for each of the demo's stores that is a page in a browser."""
    return [DemoData("printers", create_demo_printer, needs_stores=True)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on printing."""
    summary = "Registering printers, what prints where, copies and fallbacks, and the protocols of printers."
    return [Chapter("printing", "Printing", summary, "comanda_printing", "docs/printing.md")]
