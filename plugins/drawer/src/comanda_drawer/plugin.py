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
    return DrawerSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("drawer", ("comanda_drawer.models",), "comanda_migrations.drawer")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [owner_routes, staff_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_payment_books() -> Sequence[PaymentBook]:
    return [DRAWER_BOOK]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [ShiftOpened, ShiftClosed, DriverCashHandedIn]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Shifts of a drawer, cash in and out, which drawer a payment goes to, counting, unassigned cash."
    return [Chapter("drawers", "Cash drawers", summary, "comanda_drawer", "docs/drawers.md")]
