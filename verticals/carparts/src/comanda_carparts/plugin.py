"""The car-parts vertical, and which vehicles a part fits."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import QueueWorker, Task
from comanda.contracts.verticals import ItemCapability, Vertical, VerticalGroup

from comanda_carparts import tasks
from comanda_carparts.demo import fill
from comanda_carparts.keeping import fitments_saved
from comanda_carparts.routes.fitments import routes
from comanda_carparts.schemas import FitmentFields


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Offer the store type ``carparts``."""
    return [
        Vertical(
            store_type="carparts",
            label="Car parts",
            group=VerticalGroup.GOODS,
            capabilities=("brand", "stock", "variants", "fitment", "shipping"),
            fulfillment_modes=("in_store", "pickup_slot", "ship", "delivery"),
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring vehicles, and which item fits which."""
    return [ModelSet("carparts", ("comanda_carparts.models",), "comanda_migrations.carparts")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Let items tell which vehicles they fit."""
    return [ItemCapability("fitment", "Fits these vehicles", FitmentFields, saved=fitments_saved)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer which vehicles there are parts for, and which parts those are."""
    return [routes]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Forget vehicles that no item names any more."""
    return [Task("carparts_prune", tasks.prune, every=timedelta(days=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain how parts tell what they fit, and how to find them."""
    return [
        Chapter(
            name="car-parts",
            title="Car parts",
            summary="How an item tells which vehicles it fits, and how to find the parts for one.",
            package="comanda_carparts",
            path="docs/car-parts.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Open a shop for car parts."""
    return [DemoData("carparts", fill)]
