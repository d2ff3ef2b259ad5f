"""Reservations of tables, and the list of all reservations of a store."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.routes import Routes

from comanda_reservations.demo import fill
from comanda_reservations.erasing import ERASER
from comanda_reservations.events import ReservationCancelled, ReservationCreated
from comanda_reservations.participation import check_table, load
from comanda_reservations.routes.reservations import routes as reservation_routes
from comanda_reservations.routes.tables import routes as table_routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring tables, reservations, and what an owner decides about them."""
    return [ModelSet("reservations", ("comanda_reservations.models",), "comanda_migrations.reservations")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for reservations and tables."""
    return [reservation_routes, table_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce reservations that are made and called off."""
    return [ReservationCreated, ReservationCancelled]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Hold orders at the table to the tables of the store."""
    return [OrderParticipant("tables", capability="tables", load=load, validate=check_table)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget whose reservations were."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain tables and reservations."""
    summary = "Tables, who reserved them, and the list of all reservations of a store."
    return [Chapter("reservations", "Reservations", summary, "comanda_reservations", "docs/reservations.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Set tables in the demo restaurant, and let guests reserve them."""
    return [DemoData("reservations", fill, needs_stores=True)]
