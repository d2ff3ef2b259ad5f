"""The states of a shipment: which may follow which, and what each says about its contents."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final


class ShipmentStatus(StrEnum):
    """Where a shipment is."""

    PENDING = "pending"
    LABEL_CREATED = "label_created"
    IN_TRANSIT = "in_transit"
    OUT_FOR_DELIVERY = "out_for_delivery"
    DELIVERED = "delivered"
    RETURNED = "returned"
    FAILED = "failed"


# Not with the carrier yet: cancelling the order stops these.
PREPARED: Final = (ShipmentStatus.PENDING, ShipmentStatus.LABEL_CREATED)
# What these held never arrived, or came back: it may be shipped again.
VOID: Final = (ShipmentStatus.RETURNED, ShipmentStatus.FAILED)

_UNDERWAY = (ShipmentStatus.IN_TRANSIT, ShipmentStatus.OUT_FOR_DELIVERY, ShipmentStatus.DELIVERED)

# Carriers skip scans, so a parcel may jump ahead; a missed visit brings it back into the depot.
NEXT: Final[Mapping[ShipmentStatus, tuple[ShipmentStatus, ...]]] = {
    ShipmentStatus.PENDING: (ShipmentStatus.LABEL_CREATED, *_UNDERWAY, ShipmentStatus.FAILED),
    ShipmentStatus.LABEL_CREATED: (*_UNDERWAY, ShipmentStatus.FAILED),
    ShipmentStatus.IN_TRANSIT: (ShipmentStatus.OUT_FOR_DELIVERY, ShipmentStatus.DELIVERED, *VOID),
    ShipmentStatus.OUT_FOR_DELIVERY: (ShipmentStatus.IN_TRANSIT, ShipmentStatus.DELIVERED, *VOID),
    ShipmentStatus.DELIVERED: (ShipmentStatus.RETURNED,),
    ShipmentStatus.RETURNED: (),
    ShipmentStatus.FAILED: (ShipmentStatus.RETURNED,),
}


def may_follow(old: ShipmentStatus, new: ShipmentStatus, shipped_at: datetime | None) -> bool:
    """Tell whether a shipment may go from one state to another; what never left cannot come back."""
    return new in NEXT[old] and (new is not ShipmentStatus.RETURNED or shipped_at is not None)


def moments(status: ShipmentStatus, shipped_at: datetime | None, now: datetime) -> dict[str, Any]:
    """Return the times that entering a state sets: ``shipped_at`` once, and ``delivered_at``."""
    times: dict[str, Any] = {}
    if status in _UNDERWAY and shipped_at is None:
        times["shipped_at"] = now
    if status is ShipmentStatus.DELIVERED:
        times["delivered_at"] = now
    return times
