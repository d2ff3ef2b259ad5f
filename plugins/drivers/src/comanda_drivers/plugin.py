"""Delivery to the door: drivers, what they are offered, carry and earn, where they are, and what it costs."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.callers import CallerKind
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event, EventHandler
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.messaging import MessageTemplate
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.pages import Pages
from comanda.contracts.references import Reference
from comanda.contracts.routes import Routes
from comanda.contracts.sections import Section
from comanda.contracts.tasks import QueueWorker, Task

from comanda_drivers import participation, tasks
from comanda_drivers.demo import fill, list_people
from comanda_drivers.erasing import ERASER
from comanda_drivers.events import Delivered, DeliveryFailed, DriverAssigned, OutForDelivery
from comanda_drivers.messages import TEMPLATES
from comanda_drivers.pages import pages
from comanda_drivers.routes.deliveries import routes as delivery_routes
from comanda_drivers.routes.devices import routes as device_routes
from comanda_drivers.routes.drivers import routes as driver_routes
from comanda_drivers.routes.driving import routes as own_routes
from comanda_drivers.routes.entering import routes as entering_routes
from comanda_drivers.routes.offers import routes as offer_routes
from comanda_drivers.routes.proofs import photo_routes
from comanda_drivers.routes.proofs import routes as proof_routes
from comanda_drivers.routes.terms import routes as terms_routes
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.sections import SECTIONS
from comanda_drivers.services import asking, managing, tips
from comanda_drivers.services.offers import CHANNEL
from comanda_drivers.tokens import DRIVER


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Bring orders to the door."""
    return [
        FulfillmentMode(
            code=participation.MODE,
            label="Delivery",
            required_fields=(("address", "Tell where to deliver the order."),),
            fields=AddressFields,
            is_delivery=True,
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring drivers, what each of them carried and where they were, and the terms of delivery."""
    return [ModelSet("drivers", ("comanda_drivers.models",), "comanda_migrations.drivers")]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Introduce the token of a driver."""
    return [DRIVER]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer drivers, and owners about drivers and deliveries."""
    return [
        driver_routes, delivery_routes, terms_routes, entering_routes, own_routes, offer_routes, proof_routes,
        photo_routes, device_routes,
    ]  # fmt: skip


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Price the way to the door, and offer it to drivers."""
    return [
        OrderParticipant(
            "deliveries", modes=(participation.MODE,), load=participation.load, validate=participation.price
        ),
        # On its own, as it concerns orders of few stores, and those of all others need no transaction for it.
        OrderParticipant(
            participation.OFFERS,
            modes=(participation.MODE,),
            load=participation.load,
            concerns=participation.is_offered,
            placed=participation.look_for_driver,
            moved=participation.follow,
        ),
    ]


@hookimpl
def register_references() -> Sequence[Reference]:
    """Find an owner's drivers for those whose bodies name one."""
    return [Reference("driver", managing.existing)]


@hookimpl
def register_sections() -> Sequence[Section]:
    """Say in the records of orders who carries them."""
    return SECTIONS


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce who carries an order, and how it arrives."""
    return [DriverAssigned, OutForDelivery, Delivered, DeliveryFailed]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Hear of tips."""
    return [EventHandler("drivers_tips", tips.hear, names=(tips.PAID,))]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    """Word what drivers are sent, and what customers and owners are sent on their account."""
    return TEMPLATES


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget where a person's orders went."""
    return [ERASER]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Make offers; forget where drivers were, and what deliveries looked like."""
    return [
        QueueWorker("drivers_offers", CHANNEL, asking.run),
        Task("drivers_prune", tasks.prune, every=timedelta(hours=1)),
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Show drivers the page that they work with."""
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain drivers and deliveries to owners, and to whoever writes an app for drivers."""
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
    """Let a driver drive for the demo's owner."""
    return [DemoData("drivers", fill, needs_stores=True, list_people=list_people)]
