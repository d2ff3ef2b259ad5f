"""The pharmacy vertical, and the age that some items ask for."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.verticals import ItemCapability, Vertical, VerticalGroup

from comanda_pharmacy.demo import fill
from comanda_pharmacy.participation import check_age
from comanda_pharmacy.schemas import AgeConfirmation, AgeFields

AGE_GATE = "age_gate"


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Offer the store type ``pharmacy``."""
    return [
        Vertical(
            store_type="pharmacy",
            label="Pharmacy",
            group=VerticalGroup.GOODS,
            capabilities=("brand", "stock", "variants", AGE_GATE, "expiry", "shipping"),
            fulfillment_modes=("in_store", "pickup_slot", "ship", "delivery"),
        )
    ]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Let items ask for an age."""
    return [ItemCapability(AGE_GATE, "Age restriction", AgeFields)]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Ask whoever orders such items to confirm the customer's age."""
    return [OrderParticipant(AGE_GATE, capability=AGE_GATE, fields=AgeConfirmation, validate=check_age)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain pharmacies."""
    summary = "The store type pharmacy, and items that are sold from an age."
    return [Chapter("pharmacy", "Pharmacies", summary, "comanda_pharmacy", "docs/pharmacy.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Open a pharmacy."""
    return [DemoData("pharmacy", fill)]
