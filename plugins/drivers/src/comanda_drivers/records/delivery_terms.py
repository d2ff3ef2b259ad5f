"""Records of a store's delivery terms."""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda.money import Money

from comanda_drivers.models import DispatchMode, OfferAt, Pod, UnplacedAddress


@dataclass(frozen=True, slots=True)
class BandFee:
    """The fee up to a straight-line distance from the store."""

    up_to_m: int
    fee: Money


@dataclass(frozen=True, slots=True)
class PostcodeBandFee:
    """The fee of postcodes that begin with one of ``prefixes``."""

    prefixes: Sequence[str]
    fee: Money


@dataclass(frozen=True, slots=True)
class StoreDeliveryTerms:
    """A store's delivery terms, in its currency, as its owner sees them.

    ``fee`` applies without bands, and to addresses that none is found for; it is untaxed if ``tax_rate_ppm`` is None.
    ``driver_pay`` is the driver's pay for each delivery, in addition to the tip.
    """

    lat: float | None
    lng: float | None
    currency: str
    fee: Money
    bands: Sequence[BandFee]
    postcode_bands: Sequence[PostcodeBandFee]
    unplaced_addresses: UnplacedAddress
    free_over: Money | None
    min_order: Money | None
    tax_rate_ppm: int | None
    max_active_deliveries: int
    require_shift: bool
    dispatch_mode: DispatchMode
    offer_at: OfferAt
    pod: Pod
    driver_pay: Money
