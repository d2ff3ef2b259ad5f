"""Cash drawers: shifts, movements, what is expected and what was counted."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.db.modelset import ModelSet
from comanda.documentation import Chapter
from comanda.events.types import Event
from comanda.http.routes import Routes
from comanda.payment_methods import PaymentBook
from comanda.personal import Eraser
from comanda.settings import PluginSettings

from comanda_drawer.payment_books import DRAWER_BOOK
from comanda_drawer.erasure import ERASER
from comanda_drawer.events import DriverCashHandedIn, ShiftClosed, ShiftOpened
from comanda_drawer.routes.shifts import routes as owner_routes
from comanda_drawer.routes.staff_shifts import routes as staff_routes
from comanda_drawer.settings import DrawerSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Let the operator refuse drawers that go short."""
    return DrawerSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring shifts and movements."""
    return [ModelSet("drawer", ("comanda_drawer.models",), "comanda_migrations.drawer")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer owners and staff."""
    return [owner_routes, staff_routes]


@hookimpl
def register_payment_books() -> Sequence[PaymentBook]:
    """Note cash in the drawer that has it."""
    return [DRAWER_BOOK]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce drawers that are opened and counted, and drivers who hand in cash."""
    return [ShiftOpened, ShiftClosed, DriverCashHandedIn]


@hookimpl
def register_erasers() -> Sequence[Eraser]:
    """Forget what was noted with the cash of people who are erased."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain drawers to owners and to whoever builds a till."""
    summary = "Shifts of a drawer, cash in and out, which drawer a payment goes to, counting, unassigned cash."
    return [Chapter("drawers", "Cash drawers", summary, "comanda_drawer", "docs/drawers.md")]
