"""The car-parts vertical with vehicle fitment."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    ItemCapability,
    MenuKind,
    ModelSet,
    Pages,
    Routes,
    Task,
    Vertical,
    VerticalGroup,
)

from comanda_carparts import tasks
from comanda_carparts.demo import fill
from comanda_carparts.item_capabilities import FITMENT
from comanda_carparts.pages import vehicles
from comanda_carparts.routes.fitments import routes


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical(
            store_type="carparts",
            label="Car parts",
            group=VerticalGroup.GOODS,
            capabilities=(
                "brand",
                "stock",
                "variants",
                "packaging",
                "product_safety",
                "fitment",
                "shipping",
                "item_times",
            ),
            fulfillment_modes=("in_store", "pickup_slot", "ship", "delivery"),
            menu_kind=MenuKind.PARTS,
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("carparts", ("comanda_carparts.models",), "comanda_migrations.carparts")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [FITMENT]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [vehicles.pages]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("carparts_prune", tasks.prune_fitments, every=timedelta(days=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="car-parts",
            title="Car parts",
            summary="Which vehicles an item fits, and how to find the parts for a vehicle.",
            package="comanda_carparts",
            path="docs/car-parts.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("carparts", fill)]
