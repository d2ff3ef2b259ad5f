"""What a store is: its type, its capabilities, and the item fields that those bring."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel


class Group(StrEnum):
    """The family a vertical belongs to."""

    FOOD = "food"
    GOODS = "goods"
    SERVICES = "services"
    STAYS = "stays"


# The capabilities that the platform knows by name. A store's `vertical.capabilities` tells each of them, true or false;
# plugins bring the features behind them and may add names of their own through `register_item_capabilities`.
KNOWN_CAPABILITIES = (
    "modifiers",
    "dietary",
    "kds",
    "tables",
    "variants",
    "stock",
    "brand",
    "fitment",
    "age_gate",
    "expiry",
    "reservations",
    "rooms",
    "shipping",
    "appointments",
)


@dataclass(frozen=True, slots=True)
class ItemCapability:
    """Item fields that come with a capability.

    ``fields`` is a pydantic model in which every field has a default; its values are kept with the item and stand in
    its record under their own names.
    """

    code: str
    label: str
    fields: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Vertical:
    """A store type. ``capabilities`` and ``fulfillment_modes`` are codes that must be declared somewhere."""

    store_type: str
    label: str
    group: Group
    capabilities: tuple[str, ...]
    fulfillment_modes: tuple[str, ...]
