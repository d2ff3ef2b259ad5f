"""The laundry vertical."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import DemoData, Vertical, VerticalGroup

from comanda_laundry.demo import fill


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Register the store type ``laundry``."""
    return [
        Vertical(
            store_type="laundry",
            label="Laundry",
            group=VerticalGroup.SERVICES,
            capabilities=("brand", "variants", "stock", "appointments", "item_times"),
            fulfillment_modes=("pickup_slot", "appointment", "in_store", "delivery"),
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the demo laundry."""
    return [DemoData("laundry", fill)]
