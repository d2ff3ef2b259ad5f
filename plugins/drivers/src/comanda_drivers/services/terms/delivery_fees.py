"""Delivery terms of a store, and the fees and limits that follow from them; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from comanda.contracts import normalize_digits

from comanda_drivers.models import DispatchMode, OfferAt, Pod, UnplacedAddress
from comanda_drivers.services.terms.distances import calculate_distance_m


@dataclass(frozen=True, slots=True)
class DistanceBand:
    """The fee up to a distance from the store."""

    up_to_m: int
    fee_minor: int


@dataclass(frozen=True, slots=True)
class PostcodeBand:
    """The fee of postcodes that begin with one of ``prefixes``, which are normalized."""

    prefixes: Sequence[str]
    fee_minor: int


class Outside(Enum):
    """Why an address is in no area: it is beyond the last one, its postcode has none, or where it is is unknown."""

    BEYOND_BANDS = auto()
    OTHER_POSTCODE = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class DeliveryTerms:
    """A store's delivery terms, in minor units; ``DEFAULT_TERMS`` if its owner set none.

    ``bands`` go from near to far. ``fee_minor`` applies without any bands, and to an address that none can be found for
    if ``unplaced_addresses`` are not refused.
    ``driver_pay_minor`` is a driver's pay for each delivery, in addition to the tip.
    """

    position: tuple[float, float] | None = None
    fee_minor: int = 0
    bands: Sequence[DistanceBand] = ()
    postcode_bands: Sequence[PostcodeBand] = ()
    unplaced_addresses: UnplacedAddress = UnplacedAddress.FLAT_FEE
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

    def find_area_fee(self, distance: int | None, postcode: str | None) -> int | Outside:
        """Return the fee of the area of an address, or why it is in none; a postcode counts before the distance."""
        if not self.bands and not self.postcode_bands:
            return self.fee_minor
        if postcode and (fee := self._find_postcode_fee(normalize_postcode(postcode))) is not None:
            return fee
        if self.bands and distance is not None:
            fees = (band.fee_minor for band in self.bands if distance <= band.up_to_m)
            return next(fees, Outside.BEYOND_BANDS)
        return Outside.OTHER_POSTCODE if postcode and self.postcode_bands else Outside.UNKNOWN

    def is_free(self, subtotal_minor: int) -> bool:
        """Return whether an order of this subtotal is delivered free of charge."""
        return self.free_over_minor is not None and subtotal_minor >= self.free_over_minor

    def _find_postcode_fee(self, postcode: str) -> int | None:
        """Return the fee of the longest prefix that a postcode has."""
        found = [
            (len(prefix), band.fee_minor)
            for band in self.postcode_bands
            for prefix in band.prefixes
            if postcode.startswith(prefix)
        ]
        return max(found, key=lambda each: each[0])[1] if found else None


def normalize_postcode(text: str) -> str:
    """Return a postcode, or its beginning, as it is compared: capital letters and digits alone."""
    return "".join(each for each in normalize_digits(text) if each.isalnum()).upper()


DEFAULT_TERMS: Final = DeliveryTerms()
