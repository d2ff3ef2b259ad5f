"""Receipts and invoices of paid orders on request, and credit notes of refunds."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    Event,
    EventHandler,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    Pages,
    Panel,
    PersonalDataEraser,
    Routes,
    Section,
    StoreSettings,
)
from comanda.orders import OrderPaymentChanged, OrderStatusChanged

from comanda_invoices.erasure import ERASER
from comanda_invoices.event_handlers import credit_refunds
from comanda_invoices.events import InvoiceIssued
from comanda_invoices.message_templates import INVOICE_READY, RECEIPT
from comanda_invoices.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_invoices.pages.guest import pages
from comanda_invoices.routes import guests, invoices, staff
from comanda_invoices.sections import SECTION
from comanda_invoices.store_settings import STORE_SETTINGS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("invoices", ("comanda_invoices.models",), "comanda_migrations.invoices")]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [invoices.routes, guests.routes, staff.routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_sections() -> Sequence[Section]:
    return [SECTION]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [INVOICE_READY, RECEIPT]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [InvoiceIssued]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("invoices_refunds", credit_refunds, (OrderPaymentChanged, OrderStatusChanged))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Invoices of paid orders with a tax number, their numbers, credit notes of refunds, what the law asks."
    return [Chapter("invoices", "Invoices", summary, "comanda_invoices", "docs/invoices.md")]
