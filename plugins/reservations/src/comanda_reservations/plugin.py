"""Reservations: tables, their reservations, and the list of all reservations of a store."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    Event,
    EventHandler,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PersonalDataEraser,
    Routes,
)
from comanda_payments.api import PrepaymentChanged

from comanda_reservations.demo import create_demo_reservations
from comanda_reservations.erasure import ERASER
from comanda_reservations.event_handlers import follow_deposits
from comanda_reservations.events import (
    ReservationCancelled,
    ReservationCreated,
    WaitlistCalled,
    WaitlistEnded,
    WaitlistJoined,
)
from comanda_reservations.message_templates import TABLE_READY
from comanda_reservations.pages import day_sheet, floor_plan, guest_tables, guest_waitlist, tables, waitlist
from comanda_reservations.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_reservations.participant import PARTICIPANT_NAME, check_table_number, load_table_numbers
from comanda_reservations.routes.guests import routes as guest_routes
from comanda_reservations.routes.reservations import routes as reservation_routes
from comanda_reservations.routes.tables import routes as table_routes
from comanda_reservations.routes.waitlist import routes as waitlist_routes

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (day_sheet, tables, floor_plan, waitlist)
GUEST_PAGES = (guest_waitlist,)


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("reservations", ("comanda_reservations.models",), "comanda_migrations.reservations")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [reservation_routes, table_routes, waitlist_routes, guest_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages, guest_tables.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [ReservationCreated, ReservationCancelled, WaitlistJoined, WaitlistCalled, WaitlistEnded]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("reservations_deposits", follow_deposits, (PrepaymentChanged,))]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(PARTICIPANT_NAME, capability="tables", load=load_table_numbers, validate=check_table_number)
    ]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [TABLE_READY]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Tables, their reservations, and the list of all reservations of a store."
    return [Chapter("reservations", "Reservations", summary, "comanda_reservations", "docs/reservations.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("reservations", create_demo_reservations, needs_stores=True)]
