"""Cash drawers: shifts, movements, expected and counted cash."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    Event,
    ModelSet,
    NavigationEntry,
    Pages,
    PaymentBook,
    PersonalDataEraser,
    PluginSettings,
    Routes,
)

from comanda_drawer.erasure import ERASER
from comanda_drawer.events import DriverCashHandedIn, ShiftClosed, ShiftOpened
from comanda_drawer.pages.dashboard import NAVIGATION, dashboard
from comanda_drawer.payment_books import DRAWER_BOOK
from comanda_drawer.routes.shifts import routes as owner_routes
from comanda_drawer.routes.staff_shifts import routes as staff_routes
from comanda_drawer.settings import DrawerSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register whether drawers may go short."""
    return DrawerSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of shifts and movements."""
    return [ModelSet("drawer", ("comanda_drawer.models",), "comanda_migrations.drawer")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes for owners and staff."""
    return [owner_routes, staff_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of cash drawers in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entry of cash drawers in the navigation."""
    return NAVIGATION


@hookimpl
def register_payment_books() -> Sequence[PaymentBook]:
    """Register the book that records cash in drawers."""
    return [DRAWER_BOOK]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the events of shifts and of handed-in cash."""
    return [ShiftOpened, ShiftClosed, DriverCashHandedIn]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Register the erasure of notes on cash movements."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on cash drawers."""
    summary = "Shifts of a drawer, cash in and out, which drawer a payment goes to, counting, unassigned cash."
    return [Chapter("drawers", "Cash drawers", summary, "comanda_drawer", "docs/drawers.md")]
