"""The states of a shipment: which may follow which, and what each says about its contents."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final


class Status(StrEnum):
    """Where a shipment is."""

    PENDING = "pending"
    LABEL_CREATED = "label_created"
    IN_TRANSIT = "in_transit"
    OUT_FOR_DELIVERY = "out_for_delivery"
    DELIVERED = "delivered"
    RETURNED = "returned"
    FAILED = "failed"


# Not with the carrier yet: cancelling the order stops these.
PREPARED: Final = (Status.PENDING, Status.LABEL_CREATED)
# What these held never arrived, or came back: it may be shipped again.
VOID: Final = (Status.RETURNED, Status.FAILED)

_UNDERWAY = (Status.IN_TRANSIT, Status.OUT_FOR_DELIVERY, Status.DELIVERED)

# Carriers skip scans, so a parcel may jump ahead; a missed visit brings it back into the depot.
NEXT: Final[Mapping[Status, tuple[Status, ...]]] = {
    Status.PENDING: (Status.LABEL_CREATED, *_UNDERWAY, Status.FAILED),
    Status.LABEL_CREATED: (*_UNDERWAY, Status.FAILED),
    Status.IN_TRANSIT: (Status.OUT_FOR_DELIVERY, Status.DELIVERED, *VOID),
    Status.OUT_FOR_DELIVERY: (Status.IN_TRANSIT, Status.DELIVERED, *VOID),
    Status.DELIVERED: (Status.RETURNED,),
    Status.RETURNED: (),
    Status.FAILED: (Status.RETURNED,),
}


def may_follow(old: Status, new: Status, shipped_at: datetime | None) -> bool:
    """Tell whether a shipment may go from one state to another; what never left cannot come back."""
    return new in NEXT[old] and (new is not Status.RETURNED or shipped_at is not None)


def moments(status: Status, shipped_at: datetime | None, now: datetime) -> dict[str, Any]:
    """Return the times that entering a state sets: ``shipped_at`` once, and ``delivered_at``."""
    times: dict[str, Any] = {}
    if status in _UNDERWAY and shipped_at is None:
        times["shipped_at"] = now
    if status is Status.DELIVERED:
        times["delivered_at"] = now
    return times
