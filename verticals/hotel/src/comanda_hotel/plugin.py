"""The hotel vertical: rooms, rates, stays, and service to a room."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.db.modelset import ModelSet
from comanda.demo import DemoData
from comanda.documentation import Chapter
from comanda.http.routes import Routes
from comanda.mcp import Tool
from comanda.orders.participants import OrderParticipant
from comanda.personal import Eraser
from comanda.tasks.types import Drain, Task
from comanda.verticals import Group, Vertical

from comanda_hotel import tasks
from comanda_hotel.demo import fill
from comanda_hotel.erasure import ERASER
from comanda_hotel.routes.room_types import routes as room_type_routes
from comanda_hotel.routes.rooms import routes as room_routes
from comanda_hotel.routes.stays import routes as stay_routes
from comanda_hotel.services import folio
from comanda_hotel.tools import TOOLS


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Offer the store type ``hotel``."""
    return [
        Vertical(
            store_type="hotel",
            label="Hotel",
            group=Group.STAYS,
            capabilities=("brand", "stock", "variants", "rooms", "reservations", "appointments"),
            fulfillment_modes=("room_service", "appointment", "in_store"),
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring room types, rooms, rates, stays and what is put on them."""
    return [ModelSet("hotel", ("comanda_hotel.models",), "comanda_migrations.hotel")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for what is free, for rooms and rates, and for stays."""
    return [room_type_routes, room_routes, stay_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Put orders to a room on the bill of whoever is in it."""
    return [
        OrderParticipant(
            name="hotel_folio",
            modes=("room_service",),
            capability="rooms",
            validate=folio.validate_room_number,
            reserve=folio.attach_stay,
            placed=folio.create_charge,
            cancelled=folio.void_charge,
            reopened=folio.restore_charge,
        )
    ]


@hookimpl
def register_tasks() -> Sequence[Task | Drain]:
    """Call off holds whose time is over."""
    return [Task("hotel_expire_holds", tasks.expire_holds, every=timedelta(minutes=1))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Let agents see what is free, and a customer's agent their stays."""
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[Eraser]:
    """Forget who stayed."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain rooms, rates and stays."""
    return [
        Chapter(
            name="hotels",
            title="Hotels",
            summary="Room types, rates, what is free, stays from hold to departure, and room service.",
            package="comanda_hotel",
            path="docs/hotels.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Open a hotel."""
    return [DemoData("hotel", fill)]
