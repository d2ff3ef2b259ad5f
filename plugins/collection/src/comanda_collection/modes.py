"""Which modes there are, which of them have slots, and how those are cut until an owner says otherwise."""

from dataclasses import dataclass

from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.verticals import Vertical

MODES = (
    FulfillmentMode(code="in_store", label="In the store", is_collection=True),
    FulfillmentMode(code="pickup_slot", label="Pick-up slot", is_collection=True, is_scheduled=True),
    # Somebody of the staff is there for that customer, so it is not for guests whom nobody knows.
    FulfillmentMode(
        code="appointment", label="Appointment", is_collection=True, is_scheduled=True, on_storefront=False
    ),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """How the slots of one mode are cut and given away.

    ``capacity`` is the number of orders that a slot takes, None for any number; ``lead_minutes`` the notice that the
    store needs. Slots may be taken from today to ``horizon_days`` days after it.
    """

    slot_minutes: int
    capacity: int | None
    lead_minutes: int
    horizon_days: int


DEFAULTS = {
    "pickup_slot": Rules(slot_minutes=15, capacity=4, lead_minutes=30, horizon_days=14),
    "appointment": Rules(slot_minutes=30, capacity=1, lead_minutes=60, horizon_days=30),
}
SLOT_MODES = tuple(DEFAULTS)


def slot_modes(vertical: Vertical | None) -> tuple[str, ...]:
    """List the modes with slots that a store's vertical has, in the vertical's order."""
    return tuple(mode for mode in vertical.fulfillment_modes if mode in DEFAULTS) if vertical else ()
