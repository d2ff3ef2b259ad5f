"""The status transitions of a shipment."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from comanda_shipping.models import ShipmentStatus

# Not handed to the carrier yet: cancelling the order fails these shipments.
PREPARED_STATUSES: Final = (ShipmentStatus.PENDING, ShipmentStatus.LABEL_CREATED)
# The contents did not arrive or came back, and may be shipped again.
VOID_STATUSES: Final = (ShipmentStatus.RETURNED, ShipmentStatus.FAILED)

_SHIPPED_STATUSES = (ShipmentStatus.IN_TRANSIT, ShipmentStatus.OUT_FOR_DELIVERY, ShipmentStatus.DELIVERED)

# Carriers skip scans, so a parcel may skip a status; a failed delivery attempt takes it back to the depot.
NEXT_STATUSES: Final[Mapping[ShipmentStatus, tuple[ShipmentStatus, ...]]] = {
    ShipmentStatus.PENDING: (ShipmentStatus.LABEL_CREATED, *_SHIPPED_STATUSES, ShipmentStatus.FAILED),
    ShipmentStatus.LABEL_CREATED: (*_SHIPPED_STATUSES, ShipmentStatus.FAILED),
    ShipmentStatus.IN_TRANSIT: (ShipmentStatus.OUT_FOR_DELIVERY, ShipmentStatus.DELIVERED, *VOID_STATUSES),
    ShipmentStatus.OUT_FOR_DELIVERY: (ShipmentStatus.IN_TRANSIT, ShipmentStatus.DELIVERED, *VOID_STATUSES),
    ShipmentStatus.DELIVERED: (ShipmentStatus.RETURNED,),
    ShipmentStatus.RETURNED: (),
    ShipmentStatus.FAILED: (ShipmentStatus.RETURNED,),
}


def can_transition(old: ShipmentStatus, new: ShipmentStatus, shipped_at: datetime | None) -> bool:
    """Return whether a shipment may change from one status to another. Only shipped parcels can be returned."""
    return new in NEXT_STATUSES[old] and (new is not ShipmentStatus.RETURNED or shipped_at is not None)


def get_transition_times(status: ShipmentStatus, shipped_at: datetime | None, now: datetime) -> dict[str, datetime]:
    """Return the timestamps that a new status sets: ``shipped_at`` the first time, and ``delivered_at``."""
    times: dict[str, datetime] = {}
    if status in _SHIPPED_STATUSES and shipped_at is None:
        times["shipped_at"] = now
    if status is ShipmentStatus.DELIVERED:
        times["delivered_at"] = now
    return times
