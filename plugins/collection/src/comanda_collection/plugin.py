"""Customers who come to the store: at once, in a pick-up slot, by appointment."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import QueueWorker, Task

from comanda_collection import booking, tasks
from comanda_collection.modes import MODES, SLOT_MODES
from comanda_collection.routes.owner import routes as owner_routes
from comanda_collection.routes.public import routes as public_routes


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Let customers come to the store: at once, in a pick-up slot, by appointment."""
    return MODES


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Give each order that comes in a slot its place."""
    return [
        OrderParticipant(
            name=booking.NAME,
            modes=SLOT_MODES,
            load=booking.load,
            validate=booking.validate,
            reserve=booking.reserve,
            cancelled=booking.cancelled,
            reopened=booking.reopened,
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring the settings of slots and how many places of each are taken."""
    return [ModelSet("collection", ("comanda_collection.models",), "comanda_migrations.collection")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Tell owners and customers which slots are free, and owners how they are cut."""
    return [owner_routes, public_routes]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Forget slots that are long over."""
    return [Task("collection_prune", tasks.prune, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain slots."""
    return [
        Chapter(
            name="slots",
            title="Slots and appointments",
            summary="How customers come at an agreed time: slots, what they hold, and orders that take them.",
            package="comanda_collection",
            path="docs/slots.md",
        )
    ]
