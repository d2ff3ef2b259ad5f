"""The terms of a store's deliveries: what they cost, which are refused, how they find a driver; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda_drivers.models import DispatchMode, OfferAt, Pod
from comanda_drivers.services.distances import calculate_distance_m


@dataclass(frozen=True, slots=True)
class DistanceBand:
    """Up to which distance from the store a fee applies."""

    up_to_m: int
    fee_minor: int


@dataclass(frozen=True, slots=True)
class DeliveryTerms:
    """A store's terms of delivery, in minor units; those of a store whose owner decided nothing are ``NONE``.

    ``fee_minor`` is that of every delivery where there are no ``bands``, which go from near to far, and of one whose
    distance is not known. ``driver_pay_minor`` is what a driver earns by each delivery, beside the tip.
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

    def distance_to(self, lat: float | None, lng: float | None) -> int | None:
        """Measure the way from the store to an address; None while either is not known."""
        if self.position is None or lat is None or lng is None:
            return None
        return calculate_distance_m(*self.position, lat, lng)

    def is_beyond(self, distance: int | None) -> bool:
        """Tell whether an address lies farther than the store delivers."""
        return bool(self.bands) and distance is not None and distance > self.bands[-1].up_to_m

    def fee(self, subtotal_minor: int, distance: int | None) -> int:
        """Tell what a delivery costs that goes so far, and is not beyond."""
        if self.free_over_minor is not None and subtotal_minor >= self.free_over_minor:
            return 0
        if distance is None:
            return self.fee_minor
        return next((band.fee_minor for band in self.bands if distance <= band.up_to_m), self.fee_minor)


DEFAULT_TERMS: Final = DeliveryTerms()
