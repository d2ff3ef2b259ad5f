"""The vertical of tool hire: tools by the day, deposits, bookings, late fees."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    Event,
    FulfillmentMode,
    ItemCapability,
    MessageTemplate,
    ModelSet,
    OrderParticipant,
    PersonalDataEraser,
    Reconciler,
    Routes,
    Scope,
    Section,
    StoreSettings,
    Tool,
    Vertical,
    VerticalGroup,
)

from comanda_rental.erasure import ERASER
from comanda_rental.events import ToolsReturned
from comanda_rental.fulfillment_modes import DAY_HIRE
from comanda_rental.item_capabilities import DAILY_HIRE
from comanda_rental.message_templates import RETURNED
from comanda_rental.participant import BOOKINGS
from comanda_rental.reconciliation import update_bookings
from comanda_rental.routes.bookings import routes as booking_routes
from comanda_rental.routes.customer import routes as customer_routes
from comanda_rental.routes.public import routes as public_routes
from comanda_rental.scopes import SCOPES
from comanda_rental.sections import BOOKED_LINES
from comanda_rental.services.bookings import STORE_TYPE
from comanda_rental.store_settings import STORE_SETTINGS
from comanda_rental.tools import TOOLS


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical(
            store_type=STORE_TYPE,
            label="Tool hire",
            group=VerticalGroup.GOODS,
            capabilities=(DAILY_HIRE.code,),
            fulfillment_modes=(DAY_HIRE.code,),
        )
    ]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [DAILY_HIRE]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    return [DAY_HIRE]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("rental", ("comanda_rental.models",), "comanda_rental.migrations")]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return SCOPES


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [BOOKINGS]


@hookimpl
def register_sections() -> Sequence[Section]:
    return [BOOKED_LINES]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [booking_routes, customer_routes, public_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [ToolsReturned]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [RETURNED]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_reconcilers() -> Sequence[Reconciler]:
    return [Reconciler("rental", update_bookings)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="tool-hire",
            title="Tool hire",
            summary="Tools by the day: availability, deposits, bookings, returns and late fees.",
            package="comanda_rental",
            path="docs/tool-hire.md",
        )
    ]
