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
    return PrintingSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("printing", ("comanda_printing.models",), "comanda_migrations.printing")]


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [PRINTING]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [printer_routes, job_routes, cloudprnt_routes, epson_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("printing", routing.queue_jobs, routing.EVENTS)]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [worker.QUEUE, Task("printing_prune", tasks.prune_jobs, every=timedelta(hours=1))]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    path = "/stores/{store_id}/printers"
    return [NavigationEntry(N_("Printers"), path, "settings", "restaurants:read", icon="print", position=40)]


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("printers", create_demo_printer, needs_stores=True)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Registering printers, what prints where, copies and fallbacks, and the protocols of printers."
    return [Chapter("printing", "Printing", summary, "comanda_printing", "docs/printing.md")]
