"""Records of deliveries, limited to what a driver needs, of their proof, and of offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import StoreId

from comanda_drivers.models import Pod


@dataclass(frozen=True, slots=True)
class PickupPlace:
    """Where an order is picked up."""

    name: str
    address: str | None
    phone: str | None
    lat: float | None
    lng: float | None


@dataclass(frozen=True, slots=True)
class DropoffPlace:
    """Where an order is delivered; the position is null if the customer gave none."""

    address: str | None
    lat: float | None
    lng: float | None
    instructions: str | None


@dataclass(frozen=True, slots=True)
class DeliveryContact:
    """The recipient's first name and phone number."""

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
    """The proof of delivery so far: whether a code was correct, the number of photos, and whether it suffices."""

    code_verified: bool
    photos: int
    is_enough: bool


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery, for its driver. ``id`` is the id of the order.

    ``amount_to_collect`` is the cash due at the door, rounded as the store rounds cash. ``customer`` is null before and
    after the delivery is in progress. ``pod`` is the proof that the store requires for ``delivered``;
    ``requires_id_check`` is true if something in the order is sold from a certain age.
    """

    id: int
    order_id: int
    number: int
    store_id: StoreId
    type: str
    status: str
    delivery_status: str
    currency: str
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


@dataclass(frozen=True, slots=True)
class AvailableDelivery(Delivery):
    """An unassigned delivery. ``distance_m`` is from the driver's last location to the pickup."""

    distance_m: int | None


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """A delivery that is offered to this driver only, until ``expires_at``.

    ``distance_m`` is from the driver's last location to the pickup.
    """

    id: int
    order_id: int
    created_at: datetime
    expires_at: datetime
    distance_m: int | None
    delivery: Delivery


@dataclass(frozen=True, slots=True)
class ProofPhoto:
    """A photo of a delivery; ``url`` is a signed link, valid until ``expires_at``."""

    id: int
    taken_at: datetime
    url: str
    expires_at: datetime
