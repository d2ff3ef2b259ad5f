"""Records of deliveries, limited to what a driver needs, of their proof, and of offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.money import Money

from comanda_drivers.models import Pod


@dataclass(frozen=True, slots=True)
class PickupPlace:
    """The store where an order is picked up."""

    name: str
    address: str | None
    phone: str | None
    lat: float | None
    lng: float | None


@dataclass(frozen=True, slots=True)
class DropoffPlace:
    """The address of an order, its position if the customer gave one, and instructions for the driver."""

    address: str | None
    lat: float | None
    lng: float | None
    instructions: str | None


@dataclass(frozen=True, slots=True)
class DeliveryContact:
    """The customer's first name and phone number."""

    name: str | None
    phone: str | None


@dataclass(frozen=True, slots=True)
class DeliveryExtra:
    """An extra of an item, and its quantity for each piece."""

    name: str
    quantity: int


@dataclass(frozen=True, slots=True)
class DeliveryItem:
    """An item of the order."""

    name: str
    quantity: int
    variation: str | None
    extras: Sequence[DeliveryExtra]
    note: str | None


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """The proof of a delivery so far: whether a code was correct, the number of photos, and whether it suffices."""

    code_verified: bool
    photos: int
    is_enough: bool


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery of an order.

    ``amount_to_collect`` is the cash due at the door, rounded as the store rounds cash. ``customer`` is None before and
    after the delivery is in progress. ``pod`` is the proof that the store requires. With ``requires_id_check`` the
    driver has to see that the customer is old enough.
    """

    order_id: int
    store_id: int
    number: int
    type: str
    status: Status
    delivery_status: DeliveryStatus
    total: Money
    tip_amount: Money
    amount_to_collect: Money
    is_paid: bool
    pickup: PickupPlace
    dropoff: DropoffPlace
    customer: DeliveryContact | None
    items: Sequence[DeliveryItem]
    note: str | None
    scheduled_for: datetime | None
    pod: Pod
    requires_id_check: bool
    proof: ProofProgress
    timeline: Mapping[str, datetime]
    created_at: datetime
    updated_at: datetime
    distance_m: int | None
    """The distance from the driver's last location to the store; None if unknown, or once the delivery is theirs."""

    @property
    def currency(self) -> str:
        """The currency of the order."""
        return self.total.currency


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """A delivery that is offered to one driver until ``expires_at``."""

    id: int
    created_at: datetime
    expires_at: datetime
    delivery: Delivery

    @property
    def order_id(self) -> int:
        """The order that is delivered."""
        return self.delivery.order_id

    @property
    def distance_m(self) -> int | None:
        """The distance from the driver's last location to the store."""
        return self.delivery.distance_m


@dataclass(frozen=True, slots=True)
class ProofPhoto:
    """A photo of a delivery, with a signed link that is valid until ``expires_at``."""

    id: int
    taken_at: datetime
    url: str
    expires_at: datetime
