"""Records of drivers and their shifts."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class DriverLocation:
    """The last location of a driver's phone, in degrees."""

    lat: float
    lng: float
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver of one of the owner's stores, or of all of them (``store_id`` None).

    ``active_deliveries`` is the number of deliveries in progress; ``lat``, ``lng`` and ``located_at`` are the last
    location of the driver's phone.
    """

    id: int
    owner_id: int
    store_id: int | None
    name: str
    phone: str
    is_active: bool
    is_on_shift: bool
    shift_changed_at: datetime | None
    lat: float | None
    lng: float | None
    located_at: datetime | None
    last_seen_at: datetime | None
    active_deliveries: int

    @property
    def location(self) -> DriverLocation | None:
        """The last location while the driver works: where drivers are in their free time is their own business."""
        if self.lat is None or self.lng is None or self.located_at is None:
            return None
        if not self.is_on_shift and not self.active_deliveries:
            return None
        return DriverLocation(self.lat, self.lng, self.located_at)


@dataclass(frozen=True, slots=True)
class IssuedDriver(Driver):
    """A driver with a raw token of theirs, which is not stored and cannot be shown again."""

    token: str


@dataclass(frozen=True, slots=True)
class DriverSession:
    """A driver who has logged in, with the raw token of this login."""

    token: str
    driver: Driver


class Duty(StrEnum):
    """Whether a driver is on shift."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class DriverShift:
    """Whether the driver is on shift, and since when; ``changed_at`` is null for a driver who never was."""

    status: Duty
    is_on_shift: bool
    changed_at: datetime | None
