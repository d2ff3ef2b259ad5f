"""Cash drawers: shifts, movements, what is expected and what was counted."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.payments import PaymentBook
from comanda.contracts.routes import Routes
from comanda.contracts.settings import PluginSettings

from comanda_drawer.books import BOOK
from comanda_drawer.erasing import ERASER
from comanda_drawer.events import DriverCashHandedIn, ShiftClosed, ShiftOpened
from comanda_drawer.routes.owner import routes as owner_routes
from comanda_drawer.routes.staff import routes as staff_routes
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
    return [BOOK]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce drawers that are opened and counted, and drivers who hand in cash."""
    return [ShiftOpened, ShiftClosed, DriverCashHandedIn]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget what was noted with the cash of people who are erased."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain drawers to owners and to whoever builds a till."""
    summary = "Shifts of a drawer, cash in and out, which drawer a payment goes to, counting, unassigned cash."
    return [Chapter("drawers", "Cash drawers", summary, "comanda_drawer", "docs/drawers.md")]
