"""Delivery terms of a store, and the fees and limits that follow from them; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda_drivers.models import DispatchMode, OfferAt, Pod
from comanda_drivers.services.distances import calculate_distance_m


@dataclass(frozen=True, slots=True)
class DistanceBand:
    """The fee up to a distance from the store."""

    up_to_m: int
    fee_minor: int


@dataclass(frozen=True, slots=True)
class DeliveryTerms:
    """A store's delivery terms, in minor units; ``DEFAULT_TERMS`` if its owner set none.

    ``bands`` go from near to far; without bands, or for an unknown distance, ``fee_minor`` applies.
    ``driver_pay_minor`` is a driver's pay for each delivery, in addition to the tip.
    """

    position: tuple[float, float] | None = None
    fee_minor: int = 0
    bands: Sequence[DistanceBand] = ()
    free_over_minor: int | None = None
    min_order_minor: int | None = None
    tax_rate_ppm: int | None = None
    max_active: int = 5
    require_shift: bool = False
    dispatch_mode: DispatchMode = DispatchMode.POOL
    offer_at: OfferAt = OfferAt.PREPARING
    pod: Pod = Pod.NONE
    driver_pay_minor: int = 0

    def measure_distance(self, lat: float | None, lng: float | None) -> int | None:
        """Return the distance in metres from the store to an address; None if either position is unknown."""
        if self.position is None or lat is None or lng is None:
            return None
        return calculate_distance_m(*self.position, lat, lng)

    def is_out_of_range(self, distance: int | None) -> bool:
        """Return whether an address is farther away than the store delivers."""
        return bool(self.bands) and distance is not None and distance > self.bands[-1].up_to_m

    def calculate_fee(self, subtotal_minor: int, distance: int | None) -> int:
        """Return the fee of a delivery within range."""
        if self.free_over_minor is not None and subtotal_minor >= self.free_over_minor:
            return 0
        if distance is None:
            return self.fee_minor
        return next((band.fee_minor for band in self.bands if distance <= band.up_to_m), self.fee_minor)


DEFAULT_TERMS: Final = DeliveryTerms()
