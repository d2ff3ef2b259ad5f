"""The pharmacy vertical with age-restricted items."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, DemoData, ItemCapability, OrderParticipant, Vertical, VerticalGroup

from comanda_pharmacy.demo import fill
from comanda_pharmacy.item_capabilities import AGE_GATE
from comanda_pharmacy.participant import AGE_PARTICIPANT


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Register the store type ``pharmacy``."""
    return [
        Vertical(
            store_type="pharmacy",
            label="Pharmacy",
            group=VerticalGroup.GOODS,
            capabilities=("brand", "stock", "variants", AGE_GATE.code, "expiry", "shipping", "item_times"),
            fulfillment_modes=("in_store", "pickup_slot", "ship", "delivery"),
        )
    ]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Register the item field ``age_min``."""
    return [AGE_GATE]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Register the check of the customer's age."""
    return [AGE_PARTICIPANT]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on pharmacies."""
    summary = "The store type pharmacy, and age-restricted items."
    return [Chapter("pharmacy", "Pharmacies", summary, "comanda_pharmacy", "docs/pharmacy.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the demo pharmacy."""
    return [DemoData("pharmacy", fill)]
