"""Delivery: drivers, dispatch, proof of delivery, earnings, and delivery terms."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    CallerKind,
    Chapter,
    DemoData,
    Event,
    EventHandler,
    FulfillmentMode,
    LeasedQueue,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PersonalDataEraser,
    Reference,
    Routes,
    Scope,
    Section,
    Task,
    create_scopes,
    unaffected,
)
from comanda.web import N_

from comanda_drivers import event_handlers, participant, tasks
from comanda_drivers.caller_kinds import DRIVER
from comanda_drivers.demo import create_demo_drivers, list_demo_drivers
from comanda_drivers.erasure import ERASER
from comanda_drivers.events import Delivered, DeliveryFailed, DriverAssigned, DriverNear, OutForDelivery
from comanda_drivers.message_templates import TEMPLATES
from comanda_drivers.pages import delivery_areas, dispatch, drivers
from comanda_drivers.pages.blueprint import pages
from comanda_drivers.pages.dashboard import NAVIGATION, dashboard
from comanda_drivers.pages.order_panel import ORDER_PANELS, order_pages
from comanda_drivers.routes.deliveries import routes as delivery_routes
from comanda_drivers.routes.devices import routes as device_routes
from comanda_drivers.routes.driver_deliveries import routes as driver_delivery_routes
from comanda_drivers.routes.drivers import routes as driver_routes
from comanda_drivers.routes.earnings import routes as earning_routes
from comanda_drivers.routes.login import driver_routes as logout_routes
from comanda_drivers.routes.login import routes as login_routes
from comanda_drivers.routes.proofs import photo_routes
from comanda_drivers.routes.proofs import routes as proof_routes
from comanda_drivers.routes.shifts import routes as shift_routes
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.sections import SECTIONS
from comanda_drivers.services.accounts import driver_accounts
from comanda_drivers.services.dispatch import auto_dispatch

# The modules register their pages when they are imported.
PAGES = (delivery_areas, dispatch, drivers)


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    return [
        FulfillmentMode(
            code=participant.FULFILLMENT_MODE,
            label=N_("Delivery"),
            required_fields=(("address", N_("Delivery address is required.")),),
            guest_fields=(("phone", N_("A phone number is required, in case the driver does not find you.")),),
            fields=AddressFields,
            is_delivery=True,
            on_page=True,
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("drivers", ("comanda_drivers.models",), "comanda_migrations.drivers")]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    return [DRIVER]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("drivers", "drivers")


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [
        driver_routes, delivery_routes, login_routes, logout_routes, shift_routes,
        driver_delivery_routes, earning_routes, proof_routes, photo_routes, device_routes,
    ]  # fmt: skip


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            "deliveries",
            modes=(participant.FULFILLMENT_MODE,),
            load=participant.load_terms,
            validate=participant.price_delivery,
        ),
        # Separate, as it concerns few stores; orders of all others need no transaction for it.
        OrderParticipant(
            participant.OFFERS_PARTICIPANT,
            modes=(participant.FULFILLMENT_MODE,),
            load=participant.load_terms,
            concerns=participant.is_offered_to_drivers,
            placed=participant.start_dispatch,
            moved=participant.update_dispatch,
            amended=unaffected,
        ),
    ]


@hookimpl
def register_references() -> Sequence[Reference]:
    return [Reference("driver", driver_accounts.list_existing_ids)]


@hookimpl
def register_sections() -> Sequence[Section]:
    return SECTIONS


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [DriverAssigned, OutForDelivery, DriverNear, Delivered, DeliveryFailed]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("drivers_tips", event_handlers.record_payment_tips, names=(event_handlers.ORDER_PAID,))]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return TEMPLATES


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [auto_dispatch.QUEUE, Task("drivers_prune", tasks.delete_expired_data, every=timedelta(hours=1))]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages, order_pages.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return ORDER_PANELS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="drivers",
            title="Drivers and deliveries",
            summary="Drivers, offers, claiming and bringing deliveries, proof of delivery, earnings, fees, events.",
            package="comanda_drivers",
            path="docs/drivers.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("drivers", create_demo_drivers, needs_stores=True, list_logins=list_demo_drivers)]
