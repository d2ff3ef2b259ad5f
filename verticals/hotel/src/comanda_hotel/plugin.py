"""The hotel vertical: rooms, rates, stays and room service."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    EventHandler,
    LeasedQueue,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PersonalDataEraser,
    Routes,
    StoreSettings,
    Task,
    Tool,
    Vertical,
    VerticalGroup,
)
from comanda_payments.api import PrepaymentChanged

from comanda_hotel import tasks
from comanda_hotel.demo import fill
from comanda_hotel.erasure import ERASER
from comanda_hotel.event_handlers import follow_deposits
from comanda_hotel.message_templates import PAYMENT_REQUEST
from comanda_hotel.pages import calendars, guest_rooms, occupancy, room_types, rooms, stay_forms, stays
from comanda_hotel.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_hotel.participant import FOLIO_PARTICIPANT
from comanda_hotel.routes.availability import routes as availability_routes
from comanda_hotel.routes.calendars import platform_routes
from comanda_hotel.routes.calendars import routes as calendar_routes
from comanda_hotel.routes.guests import routes as guest_routes
from comanda_hotel.routes.room_types import routes as room_type_routes
from comanda_hotel.routes.rooms import routes as room_routes
from comanda_hotel.routes.stays import routes as stay_routes
from comanda_hotel.services.calendars import platform_calendars
from comanda_hotel.store_settings import STORE_SETTINGS
from comanda_hotel.tools import TOOLS

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (occupancy, stays, stay_forms, rooms, room_types, calendars)


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical(
            store_type="hotel",
            label="Hotel",
            group=VerticalGroup.STAYS,
            capabilities=("brand", "stock", "variants", "rooms", "reservations", "appointments", "item_times"),
            fulfillment_modes=("room_service", "appointment", "in_store"),
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("hotel", ("comanda_hotel.models",), "comanda_migrations.hotel")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [
        availability_routes,
        room_type_routes,
        room_routes,
        calendar_routes,
        platform_routes,
        stay_routes,
        guest_routes,
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages, guest_rooms.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [FOLIO_PARTICIPANT]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("hotel_deposits", follow_deposits, (PrepaymentChanged,))]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [PAYMENT_REQUEST]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [Task("hotel_expire_holds", tasks.expire_holds, every=timedelta(minutes=1)), platform_calendars.QUEUE]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="hotels",
            title="Hotels",
            summary="Room types, rates, availability, stays from hold to departure, and room service.",
            package="comanda_hotel",
            path="docs/hotels.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("hotel", fill)]
